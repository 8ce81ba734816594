// Read recorded sessions, in whatever format their agent wrote them, and watch them from code: what `loopfuse scan`
// does, as a library. Sessions in a file may be interleaved, so each gets a watch of its own.
//
// Usage: node examples/07-scan-from-code.mjs [FILE…]
//
// Prints: invoice-rounding (example-agent)
// Prints: repeated-failure at event
import { fileURLToPath } from 'node:url';
import { readSessions } from '@loopfuse/formats';
import { createWatch } from 'loopfuse';
import { balanced } from 'loopfuse/presets';

const recording = fileURLToPath(new URL('../packages/cli/demo/stuck-edit.jsonl', import.meta.url));
const files = process.argv.length > 2 ? process.argv.slice(2) : [recording];
const detectors = balanced(); // values, shared by all sessions

for (const file of files) {
  const watches = new Map();
  const summary = await readSessions(file, {
    onSession: (session) => watches.set(session, createWatch({ detectors })),
    onEvent(event, session) {
      const watch = watches.get(session);
      const verdict = watch.observe(event);
      if (verdict.status === 'clear') return;
      for (const finding of verdict.findings) {
        if (finding.again > 0 || finding.status !== 'looping') continue; // once for each loop
        console.log(`${session.id} (${session.agent}): ${finding.kind} at event ${finding.seq}`);
        console.log(`  ${watch.explain(finding)}`);
      }
    },
    onEnd: (session) => watches.delete(session),
    onFault: ({ line, message }) => console.error(`${file}${line ? `:${line}` : ''}: ${message}`),
  });
  console.log(
    `${summary.sessions} session, ${summary.events} events, ${summary.calls} calls, read as ${summary.format}`,
  );
}
