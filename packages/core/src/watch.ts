import type { Detector, Readable, ReadingOf, Sighting } from './detector.js';
import { type Episode, episodeOf, loadEpisodes } from './episode.js';
import { type AgentEvent, type EventOf, eventProblem, eventTypes, type Json } from './event.js';
import { type Exemption, isExemption } from './exemption.js';
import type { Fault, Finding, Verdict } from './finding.js';
import { checked, nonNegative } from './shape.js';
import { createSteps, type Observed, type Steps } from './step/steps.js';
import { type ToolRules, toolRules } from './step/tool-rules.js';
import { count, loadTally, startTally, type Tally, wasteSince } from './tally.js';
import {
  append,
  beginWords,
  endWords,
  isDue,
  loadMessages,
  type Message,
  type Messages,
  openMessage,
  readOn,
  saveMessages,
  startMessages,
} from './text/message.js';
import { blockLength, type Channel } from './text/words.js';
import { shortKey } from './value/short-key.js';
import { messageOf } from './words/message-of.js';

/** How a watch is made. */
export interface WatchOptions {
  /** What is looked for; names must be unique. */
  readonly detectors: readonly Detector[];
  /** What is known about tools beyond their names. */
  readonly tools?: ToolRules;
  /** Called with every fault: ours, or an event or snapshot of the wrong shape. Must not throw. */
  readonly onFault?: (fault: Fault) => void;
}

/** Runs detectors over one session. It judges; it does not act (see `guard.ts`). */
export interface Watch {
  /** How many events it has seen. */
  readonly seq: number;
  /** Whether the event last seen was a prompt that no person wrote: a harness gives the same answer again. */
  readonly byHarness: boolean;
  /** Total: whatever is handed in, it answers, and reports what it could not use as a fault. */
  observe(event: AgentEvent): Verdict;
  /** One or two sentences about a finding, for people and for the model. */
  explain(finding: Finding): string;
  /** All detectors start afresh, in all lanes or in one (`''` is the main lane), as after "carry on". */
  forget(lane?: string): void;
  /**
   * Whether a call just shown is one of those of a loop that was seen before, with nothing changed since: the one case
   * in which a call can be refused before its result is known.
   */
  repeats(event: EventOf<'tool-call'>): boolean;
  /** The call was refused and will not run: it leaves no trace, and its result must not be shown. */
  withdraw(event: EventOf<'tool-call'>): void;
  /** A finding with what its loop has cost up to now. */
  renewed(finding: Finding): Finding;
  /** From now on matching calls are shown to no detector, and findings of a matching kind are not reported. */
  exempt(exemption: Exemption): void;
  readonly exemptions: readonly Exemption[];
  /** Plain JSON of a bounded size, from which `resumeWatch` goes on with the same future. */
  snapshot(): WatchSnapshot;
}

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

/** A detector on the way of what it reads: all of one shape, whatever the detectors are, for shapes that differ cost. */
interface Stop {
  readonly detector: Detector;
  readonly observe: Detector['observe'];
  /** Of the detector, and of its state in a lane. */
  readonly index: number;
}

type Seen = [Detector, Sighting];

interface Lane {
  readonly name: string;
  readonly states: unknown[];
  steps: Steps;
  messages: Messages;
  tally: Tally;
  episodes: Episode[];
}

/** More sub-agents than this at once, and the one that was active least recently is forgotten. */
const maxLanes = 32;
/** A longer message is read, whoever says that it shows nothing: what is kept unread stays small. */
const longestQuiet = 1024;
const clear: Verdict = { status: 'clear' };
const nothing: readonly Finding[] = [];
const unjoined: Observed = { hidden: false, steps: [] };

/** Makes the watch of one session. Throws where two detectors have the same name or a tool rule is wrong. */
export function createWatch(options: WatchOptions): Watch {
  return startWatch(options);
}

/** Goes on from a snapshot. What is broken in it is reported and starts afresh; the watch works in any case. */
export function resumeWatch(options: WatchOptions, snapshot: WatchSnapshot): Watch {
  return startWatch(options, { snapshot });
}

function startWatch(
  { detectors, tools = {}, onFault = () => {} }: WatchOptions,
  saved?: { readonly snapshot: WatchSnapshot },
): Watch {
  const rules = toolRules(tools);
  const routes = routesOf(detectors);
  const byName = new Map(detectors.map((detector) => [detector.name, detector]));
  if (byName.size < detectors.length) throw new TypeError('createWatch: two detectors have the same name');
  // Where nobody reads steps and no call is to be hidden, calls need not be joined with their results.
  const joinsAlways = routes.step.length > 0 || Object.keys(tools).length > 0;
  const quiet = Math.min(longestQuiet, ...routes.words.map(({ detector }) => detector.quiet ?? 0));
  let seq = 0;
  let byHarness = false;
  let begun = 0; // episodes
  let exemptions: readonly Exemption[] = [];
  const lanes = new Map<string, Lane>();
  let latest: Lane | undefined; // most events are of the same lane as the one before

  function report(where: string, what: string, cause: unknown): void {
    try {
      onFault({ where, message: `${what}: ${messageOf(cause)}`, seq, cause });
    } catch {
      // A fault handler that throws has nobody left to tell; the agent goes on.
    }
  }

  function laneOf(name: string): Lane {
    if (latest?.name === name) return latest;
    const known = lanes.get(name);
    if (known) {
      latest = known;
      return known;
    }
    if (lanes.size >= maxLanes) dropQuietest();
    const lane: Lane = {
      name,
      states: detectors.map((detector) => detector.start()),
      steps: createSteps(rules),
      messages: startMessages(),
      tally: startTally(),
      episodes: [],
    };
    lanes.set(name, lane);
    latest = lane;
    return lane;
  }

  function dropQuietest(): void {
    let quietest: Lane | undefined;
    for (const lane of lanes.values())
      if (lane.name !== '' && (!quietest || lane.tally.last < quietest.tally.last)) quietest = lane;
    if (quietest) lanes.delete(quietest.name);
    latest = undefined;
  }

  /** Shows a reading to the detectors of its route, and gives `found` with what they see. */
  function show(
    lane: Lane,
    route: readonly Stop[],
    reading: ReadingOf<Readable>,
    at: number,
    found: readonly Finding[],
  ): readonly Finding[] {
    const { states } = lane;
    let seen: Seen[] | undefined;
    for (let k = 0; k < route.length; k++) {
      const { detector, observe, index } = route[k]!;
      try {
        const sighted = observe.call(detector, states[index], reading, at);
        if (sighted !== undefined) seen = withSightings(seen, detector, sighted);
      } catch (cause) {
        report(detector.name, 'the detector failed and starts afresh', cause);
        states[index] = detector.start();
      }
    }
    return seen === undefined ? found : withFindings(found, lane, seen, at);
  }

  /** Takes a delta for those who read words, and shows them the blocks that it completes. */
  function hear(lane: Lane, event: EventOf<Channel>, at: number, found: readonly Finding[]): readonly Finding[] {
    const message = openMessage(lane.messages, event.type);
    append(message, event.text, at);
    return isDue(message) ? showBlocks(lane, message, at, found) : found;
  }

  function showBlocks(lane: Lane, message: Message, at: number, found: readonly Finding[]): readonly Finding[] {
    if (message.words === undefined && message.pending.length <= quiet) return found;
    const words = message.words ?? beginWords(message);
    for (let length = -1; isDue(message) && length < words.length; ) {
      length = words.length;
      readOn(message, words);
      words.urgent = false;
      found = show(lane, routes.words, words, at, found);
      if (message.left >= blockLength) message.urgent = words.urgent;
    }
    return found;
  }

  function endMessages(lane: Lane, at: number): void {
    const { text, reasoning } = lane.messages;
    if (text === undefined && reasoning === undefined) return;
    lane.messages = startMessages();
    for (const message of [text, reasoning]) {
      if (message?.words === undefined) continue;
      message.words.over = true;
      show(lane, routes.words, message.words, at, nothing);
      endWords(message.words);
    }
  }

  function withSightings(seen: Seen[] = [], detector: Detector, sighted: Sighting | readonly Sighting[]): Seen[] {
    for (const sighting of (Array.isArray(sighted) ? sighted : [sighted]) as readonly Sighting[])
      if (!exemptions.some((one) => 'kind' in one && one.kind === sighting.kind)) seen.push([detector, sighting]);
    return seen;
  }

  function withFindings(found: readonly Finding[], lane: Lane, seen: Seen[], at: number): readonly Finding[] {
    // By character, or a chant seen first would be filed last where both come in one delta.
    seen.sort(([, a], [, b]) => (a.position ?? 0) - (b.position ?? 0));
    return [...found, ...seen.map(([detector, sighting]) => findingOf(lane, detector, sighting, at))];
  }

  function findingOf(lane: Lane, detector: Detector, sighting: Sighting, at: number): Finding {
    const { kind, status, onset, confidence, evidence, tools = [], calls = [] } = sighting;
    const { episode, again } = episodeOf(lane.episodes, sighting, at, () => `${++begun}`);
    const finding: Finding = {
      detector: detector.name,
      kind,
      status,
      episode,
      seq: at,
      onset,
      again,
      confidence,
      evidence,
      tools,
      calls,
      waste: wasteSince(lane.tally, onset),
    };
    return lane.name === '' ? finding : { ...finding, lane: lane.name };
  }

  function observe(event: AgentEvent): Verdict {
    try {
      return judge(event, seq);
    } catch (cause) {
      report('event', `event ${seq} was ignored`, cause);
      return clear;
    } finally {
      seq++;
    }
  }

  function judge(event: AgentEvent, at: number): Verdict {
    const problem = eventProblem(event);
    if (problem !== undefined) throw new TypeError(problem);
    const lane = latest?.name === (event.lane ?? '') ? latest : laneOf(laneKey(event.lane));
    count(lane.tally, event, at, lane.episodes);
    let found = nothing;
    if (event.type === 'text' || event.type === 'reasoning') {
      if (event.text !== '') lane.steps.spoke(event);
      // the hot path: a delta makes no step
      found = show(lane, event.type === 'text' ? routes.text : routes.reasoning, event, at, found);
      if (routes.words.length > 0) found = hear(lane, event, at, found);
    } else {
      try {
        const joins = joinsAlways || exemptions.length > 0;
        const { hidden, harness = false, steps } = joins ? lane.steps.observe(event, at, exemptions) : unjoined;
        byHarness = harness;
        // To the detectors a harness that asks again is one more turn, not a new request.
        if (!hidden) {
          const shown: AgentEvent = harness ? { type: 'turn-start' } : event;
          if (shown.type !== 'usage' && shown.type !== 'opinion') endMessages(lane, at);
          found = show(lane, routes[shown.type], shown, at, found);
        }
        for (const step of steps) {
          if (step.mutated)
            for (const episode of lane.episodes) if (!episode.calls.includes(step.call)) episode.calls = [];
          found = show(lane, routes.step, step, at, found);
        }
      } catch (cause) {
        report('step', 'the event was not read, and the calls under way are forgotten', cause);
        lane.steps = createSteps(rules);
      }
    }
    if (found.length === 0) return clear;
    const findings = found as readonly [Finding, ...Finding[]];
    return { status: findings.some((finding) => finding.status === 'looping') ? 'looping' : 'suspect', findings };
  }

  function resume(from: WatchSnapshot): void {
    if (from?.version !== 2) throw new TypeError(`expected a snapshot of version 2, got version ${from?.version}`);
    checked({ seq: nonNegative, episodes: nonNegative, lanes: [] }, from, 'the snapshot');
    seq = from.seq;
    begun = from.episodes;
    attempt('exemptions', () => {
      exemptions = from.exemptions.filter(isExemption).map(exemptionOf);
      if (exemptions.length < from.exemptions.length) throw new TypeError('some are no exemptions');
    });
    for (const saved of from.lanes.slice(0, maxLanes) as LaneSnapshot[]) attempt('lane', () => resumeLane(saved));
  }

  function resumeLane(saved: LaneSnapshot): void {
    const lane = laneOf(laneKey(checked({ lane: '' }, saved, 'the lane').lane));
    attempt('tally', () => {
      lane.tally = loadTally(copy(saved.tally));
    });
    attempt('episodes', () => {
      lane.episodes = loadEpisodes(copy(saved.episodes));
    });
    attempt('calls under way', () => lane.steps.load(copy(saved.steps)));
    attempt('messages', () => {
      lane.messages = loadMessages(copy(saved.messages));
    });
    detectors.forEach((detector, index) => {
      const state = saved.detectors[detector.name];
      if (state === undefined) return; // it was not among the detectors when the snapshot was taken
      attempt(`state of ${detector.name}`, () => {
        lane.states[index] = detector.load(copy(state));
      });
    });
  }

  function attempt(what: string, load: () => void): void {
    try {
      load();
    } catch (cause) {
      report('snapshot', `the saved ${what} could not be read, and what is missing starts afresh`, cause);
    }
  }

  function save(lane: Lane): LaneSnapshot {
    const states: Record<string, Json> = {};
    detectors.forEach((detector, index) => {
      try {
        states[detector.name] = copy(detector.save(lane.states[index]));
      } catch (cause) {
        report(detector.name, 'its state could not be saved and starts afresh', cause);
        lane.states[index] = detector.start();
      }
    });
    return {
      lane: lane.name,
      steps: copy(lane.steps.save()),
      messages: copy(saveMessages(lane.messages)),
      tally: copy(lane.tally),
      episodes: copy(lane.episodes),
      detectors: states,
    };
  }

  if (saved) attempt('session', () => resume(saved.snapshot));

  return {
    get seq() {
      return seq;
    },
    get byHarness() {
      return byHarness;
    },
    get exemptions() {
      return exemptions;
    },
    observe,
    explain(finding) {
      const { detector: name, kind, evidence } = finding;
      try {
        const detector = byName.get(name);
        if (detector) return detector.explain(evidence);
      } catch (cause) {
        report(name, 'the finding could not be explained', cause);
      }
      return `${name} saw a loop (${kind}).`;
    },
    forget(only) {
      for (const lane of lanes.values()) {
        if (only !== undefined && lane.name !== laneKey(only)) continue;
        detectors.forEach((detector, index) => {
          lane.states[index] = detector.start();
        });
        lane.messages = startMessages();
        lane.episodes = [];
      }
    },
    repeats(event) {
      const lane = lanes.get(laneKey(event.lane));
      const call = lane?.steps.callOf(event.id);
      return call !== undefined && lane!.episodes.some((episode) => episode.looping && episode.calls.includes(call));
    },
    withdraw(event) {
      lanes.get(laneKey(event.lane))?.steps.withdraw(event.id);
    },
    renewed(finding) {
      const lane = lanes.get(laneKey(finding.lane));
      return lane ? { ...finding, seq: seq - 1, waste: wasteSince(lane.tally, finding.onset) } : finding;
    },
    exempt(exemption) {
      if (!isExemption(exemption))
        throw new TypeError(`exempt: an exemption names a tool or a kind of loop, got ${JSON.stringify(exemption)}`);
      exemptions = [...exemptions, exemptionOf(exemption)];
    },
    snapshot: () => ({
      version: 2,
      seq,
      episodes: begun,
      exemptions: copy(exemptions),
      lanes: [...lanes.values()].map(save),
    }),
  };
}

function routesOf(detectors: readonly Detector[]): Record<Readable, readonly Stop[]> {
  const routes = Object.fromEntries([...eventTypes, 'step', 'words'].map((type) => [type, []])) as unknown as Record<
    Readable,
    Stop[]
  >;
  detectors.forEach((detector, index) => {
    const stop: Stop = { detector, observe: detector.observe, index };
    for (const type of new Set(detector.reads)) routes[type].push(stop);
  });
  return routes;
}

/** A deep copy of plain JSON, so that a snapshot and a live session never share an object. */
function copy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** The name by which a lane is kept and reported: very long ones are replaced, so that the state stays small. */
function laneKey(name = ''): string {
  return shortKey(name, 400);
}

/** A copy with nothing else in it. */
function exemptionOf(one: Exemption): Exemption {
  if ('kind' in one) return { kind: one.kind };
  return one.containing === undefined ? { tool: one.tool } : { tool: one.tool, containing: one.containing };
}
