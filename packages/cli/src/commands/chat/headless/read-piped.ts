/** How long to wait for the first input, in milliseconds; the pipe may just have been left open. */
const patience = 3000;
/** The largest input, in bytes. */
const most = 4_000_000;

export type Piped =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'nothing' }
  | { readonly type: 'silent' } // open, but without input
  | { readonly type: 'too-much'; readonly most: number };

/** Reads what was piped to standard input. */
export async function readPiped(stdin: NodeJS.ReadStream, signal: AbortSignal, silence = patience): Promise<Piped> {
  if (stdin.isTTY) return { type: 'nothing' };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => done({ type: 'silent' }), silence);
    const onAbort = () => done({ type: 'nothing' });
    const onData = (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) done({ type: 'too-much', most });
    };
    const onEnd = () => {
      const text = Buffer.concat(chunks).toString('utf8');
      done(text.trim() === '' ? { type: 'nothing' } : { type: 'text', text });
    };
    const onError = () => done({ type: 'nothing' }); // a folder, or closed
    function done(piped: Piped): void {
      clearTimeout(timer);
      stdin.off('data', onData).off('end', onEnd).pause();
      stdin.unref?.();
      signal.removeEventListener('abort', onAbort);
      resolve(piped);
    }
    signal.addEventListener('abort', onAbort, { once: true });
    stdin.on('data', onData).on('end', onEnd).on('error', onError).resume();
  });
}
