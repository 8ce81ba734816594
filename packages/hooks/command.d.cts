/** Runs the hook of this process: reads an event on standard input and answers it. It exports nothing. */
export {};
