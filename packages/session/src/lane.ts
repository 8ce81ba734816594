import { type Decision, decisionLike } from 'loopfuse';
import { createEdits, type Edits } from './edits.js';
import type { SavedLane } from './session-options.js';

/** What a session keeps for the main agent and for each sub-agent. */
export interface Lane {
  readonly edits: Edits;
  /** Calls without a result yet, with the decision about each. */
  readonly calls: Map<string, Decision>;
  /** The message to the model if no stronger model takes the turn. */
  escalation: string | undefined;
  /** How many answers in a row were cut short and asked for again. */
  again: number;
  /** Whether the last request to the model failed. */
  failed: boolean;
  /** Fingerprint of the latest request: of its prompts and its number of messages. */
  request: number | undefined;
}

/** The lanes of a session by name; the main agent has the empty name. */
export interface Lanes {
  get(name: string): Lane;
  save(): SavedLane[];
}

const maxCalls = 256;
const maxLanes = 64;

/** `onDrop` is called with the name of a lane that was dropped to make room for another. */
export function createLanes(saved: readonly SavedLane[] | undefined, onDrop: (name: string) => void): Lanes {
  const lanes = new Map<string, Lane>();
  // All of them, even if a sub-agent has no event yet in this process: the next snapshot must have them too.
  for (const one of Array.isArray(saved) ? saved.slice(-maxLanes) : [])
    if (typeof one?.lane === 'string') lanes.set(one.lane, createLane(one));

  return {
    get(name) {
      const known = lanes.get(name);
      if (known) return known;
      const [oldest] = [...lanes.keys()].filter((key) => key !== '');
      if (lanes.size >= maxLanes && oldest !== undefined) {
        lanes.delete(oldest);
        onDrop(oldest);
      }
      const lane = createLane();
      lanes.set(name, lane);
      return lane;
    },
    save: () =>
      [...lanes].map(([lane, { edits, calls, escalation, again, failed, request }]) => ({
        lane,
        ...edits.save(),
        calls: [...calls],
        ...(escalation === undefined ? {} : { escalation }),
        ...(again === 0 ? {} : { again }),
        ...(failed ? { failed } : {}),
        ...(request === undefined ? {} : { request }),
      })),
  };
}

export function keepCall({ calls }: Lane, id: string, decision: Decision): void {
  const [oldest] = calls.keys();
  if (calls.size >= maxCalls && oldest !== undefined) calls.delete(oldest);
  calls.set(id, decision);
}

/** Broken parts of a saved lane are left out. */
function createLane(saved?: SavedLane): Lane {
  return {
    edits: createEdits(saved),
    calls: new Map(Array.isArray(saved?.calls) ? saved.calls.filter(isDecidedCall).slice(-maxCalls) : []),
    escalation: typeof saved?.escalation === 'string' ? saved.escalation : undefined,
    again: Number.isSafeInteger(saved?.again) ? saved!.again! : 0,
    failed: saved?.failed === true,
    request: typeof saved?.request === 'number' ? saved.request : undefined,
  };
}

function isDecidedCall(saved: unknown): boolean {
  return Array.isArray(saved) && typeof saved[0] === 'string' && decisionLike(saved[1], 'the decision') === undefined;
}
