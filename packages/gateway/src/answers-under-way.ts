/** The answers that are under way, by the key of their session, so that the operator can stop them. */
export interface AnswersUnderWay {
  /** `halt` is called when the operator stops the session. Returns a function that removes it again. */
  add(key: string, halt: (message: string) => void): () => void;
  halt(key: string, message: string): void;
}

export function createAnswersUnderWay(): AnswersUnderWay {
  const running = new Map<string, Set<(message: string) => void>>();
  return {
    add(key, halt) {
      const all = running.get(key) ?? new Set();
      running.set(key, all.add(halt));
      return () => {
        all.delete(halt);
        if (all.size === 0 && running.get(key) === all) running.delete(key);
      };
    },
    halt(key, message) {
      for (const halt of [...(running.get(key) ?? [])]) halt(message);
    },
  };
}
