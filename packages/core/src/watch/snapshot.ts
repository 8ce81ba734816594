import { type Episode, loadEpisodes } from '../episode.js';
import type { Json } from '../event.js';
import { type Exemption, exemptionOf, isExemption } from '../exemption.js';
import { checked, nonNegative, quoted } from '../shape.js';
import { loadTally, type Tally } from '../tally.js';
import { loadMessages, saveMessages } from '../text/message.js';
import { type Lane, laneOf, maxLanes, report, type Session } from './session.js';

/** A watch as JSON; `resumeWatch` goes on from it. Treat it as opaque. */
export interface WatchSnapshot {
  readonly version: 2;
  readonly seq: number;
  /** How many episodes have begun. */
  readonly episodes: number;
  readonly exemptions: readonly Exemption[];
  readonly lanes: readonly LaneSnapshot[];
}

interface LaneSnapshot {
  readonly lane: string;
  readonly steps: Json;
  readonly messages: Json;
  readonly tally: Tally;
  readonly episodes: readonly Episode[];
  readonly detectors: { readonly [name: string]: Json };
}

/** A state that cannot be saved is reported and starts afresh, in the session as well. */
export function saveSession(session: Session): WatchSnapshot {
  const { seq, begun, exemptions, lanes } = session;
  return {
    version: 2,
    seq,
    episodes: begun,
    exemptions: copy(exemptions),
    lanes: [...lanes.values()].map((lane) => saveLane(session, lane)),
  };
}

function saveLane(session: Session, { name, states, steps, messages, tally, episodes }: Lane): LaneSnapshot {
  const detectors: Record<string, Json> = {};
  session.detectors.forEach((detector, index) => {
    try {
      detectors[detector.name] = copy(detector.save(states[index]));
    } catch (cause) {
      report(session, detector.name, 'its state could not be saved and starts afresh', cause);
      states[index] = detector.start();
    }
  });
  return {
    lane: name,
    steps: copy(steps.save()),
    messages: copy(saveMessages(messages)),
    tally: copy(tally),
    episodes: copy(episodes),
    detectors,
  };
}

/** Throws when a snapshot, of a watch or of a guard, is not of the current version. */
export function requireVersion(snapshot: { readonly version?: unknown } | null | undefined): void {
  if (snapshot?.version !== 2)
    throw new TypeError(
      `expected a snapshot of version 2, got ${snapshot?.version === undefined ? quoted(snapshot) : `version ${quoted(snapshot.version)}`}`,
    );
}

/** Loads a saved session into one that has just started. Parts that are broken are reported and start afresh. */
export function loadSession(session: Session, saved: WatchSnapshot): void {
  attempt(session, 'session', () => {
    requireVersion(saved);
    checked({ seq: nonNegative, episodes: nonNegative, lanes: [] }, saved, 'the snapshot');
    session.seq = saved.seq;
    session.begun = saved.episodes;
    attempt(session, 'exemptions', () => {
      session.exemptions = saved.exemptions.filter(isExemption).map(exemptionOf);
      if (session.exemptions.length < saved.exemptions.length) throw new TypeError('some are no exemptions');
    });
    for (const lane of saved.lanes.slice(0, maxLanes)) attempt(session, 'lane', () => loadLane(session, lane));
  });
}

function loadLane(session: Session, saved: LaneSnapshot): void {
  const lane = laneOf(session, checked({ lane: '' }, saved, 'the lane').lane);
  attempt(session, 'tally', () => {
    lane.tally = loadTally(copy(saved.tally));
  });
  attempt(session, 'episodes', () => {
    lane.episodes = loadEpisodes(copy(saved.episodes));
  });
  attempt(session, 'calls under way', () => lane.steps.load(copy(saved.steps)));
  attempt(session, 'messages', () => {
    lane.messages = loadMessages(copy(saved.messages));
  });
  session.detectors.forEach((detector, index) => {
    const state = saved.detectors[detector.name];
    if (state === undefined) return; // it was not among the detectors when the snapshot was taken
    attempt(session, `state of ${detector.name}`, () => {
      lane.states[index] = detector.load(copy(state));
    });
  });
}

function attempt(session: Session, what: string, load: () => void): void {
  try {
    load();
  } catch (cause) {
    report(session, 'snapshot', `the saved ${what} could not be read, and what is missing starts afresh`, cause);
  }
}

/** A deep copy of plain JSON, so that a snapshot and a live session never share an object. */
function copy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
