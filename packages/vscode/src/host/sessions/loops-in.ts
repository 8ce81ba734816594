import { setImmediate } from 'node:timers/promises';
import { type AgentEvent, createWatch, type Finding, loopKinds } from 'loopfuse';
import { balanced } from 'loopfuse/presets';

/** A loop in a recorded session. */
export interface RecordedLoop {
  readonly title: string;
  readonly message: string;
  /** Indices of events: where it began, and where it was last seen. */
  readonly onset: number;
  readonly until: number;
}

interface Seen {
  readonly finding: Finding;
  readonly message: string;
  until: number;
}

/** The number of events after which the event loop gets a turn. */
const slice = 1000;

/**
 * The loops in a session, in the order in which they began: those that the balanced preset finds, and those that only the guard
 * saw when they happened, because it cut repeated text out of the history or had asked a judge.
 */
export async function loopsIn(events: readonly AgentEvent[]): Promise<readonly RecordedLoop[]> {
  const watch = createWatch({ detectors: balanced() });
  const seen = new Map<string, Seen>(); // by episode
  const steered: RecordedLoop[] = [];
  for (const [seq, event] of events.entries()) {
    if (seq % slice === slice - 1) await setImmediate();
    if (event.type === 'steer') steered.push(steeredAt(seq, event.text));
    const verdict = watch.observe(event);
    if (verdict.status !== 'looping') continue;
    for (const finding of verdict.findings) {
      if (finding.status !== 'looping') continue;
      const known = seen.get(finding.episode);
      if (known === undefined) seen.set(finding.episode, { finding, message: watch.explain(finding), until: seq });
      else known.until = seq;
    }
  }
  const loops = [...seen.values()].map(({ finding: { kind, onset }, message, until }) => ({
    ...{ title: loopKinds[kind].title, message, onset, until },
  }));
  const others = steered.filter(
    ({ onset }) => !loops.some((loop) => loop.onset <= onset && onset <= loop.until + near),
  );
  return [...loops, ...others].sort((a, b) => a.onset - b.onset);
}

/** The guard's message follows its loop within this many events: the turn ends, and calls are dropped. */
const near = 6;

function steeredAt(seq: number, text: string): RecordedLoop {
  return { title: 'The guard stepped in', message: text.replace(/^\[[^\]]*\]\s*/, ''), onset: seq, until: seq };
}
