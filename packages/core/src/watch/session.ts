import type { Detector } from '../detector.js';
import type { Episode } from '../episode.js';
import type { Exemption } from '../exemption.js';
import { type Fault, reportFault } from '../fault.js';
import { aFunction, checked, only, optional, problemIn, quoted } from '../shape.js';
import { createSteps, type Steps } from '../step/steps.js';
import { type RuleOf, type ToolRules, toolRules } from '../step/tool-rules.js';
import { startTally, type Tally } from '../tally.js';
import { type Messages, startMessages } from '../text/message.js';
import { shortKey } from '../value/short-key.js';
import { type Routes, routesOf } from './routes.js';

/** Options of a watch. */
export interface WatchOptions {
  /** What is looked for; names must be unique. */
  readonly detectors: readonly Detector[];
  /** What is known about tools beyond their names. */
  readonly tools?: ToolRules;
  /** Called with every fault: ours, or an event or snapshot of the wrong shape. Must not throw. */
  readonly onFault?: (fault: Fault) => void;
}

/** A watched session, as data: what watches it, and what its lanes have in common. */
export interface Session {
  readonly detectors: readonly Detector[];
  readonly routes: Routes;
  readonly rules: RuleOf;
  /** Whether calls are joined with their results. With no reader of steps and no tool rule, only exemptions need it. */
  readonly joins: boolean;
  /** A message with at most this many characters shows nothing to the detectors that read words. */
  readonly quiet: number;
  readonly onFault: WatchOptions['onFault'];
  /** How many events were seen: during an event, its index. */
  seq: number;
  /** Whether the last event, deltas aside, was a prompt that the user did not write. */
  byHarness: boolean;
  /** How many episodes have begun. */
  begun: number;
  exemptions: readonly Exemption[];
  readonly lanes: Map<string, Lane>;
  /** The lane of the last event: most are of the same lane as the one before. */
  latest: Lane | undefined;
}

/** What is known of the main agent, or of a sub-agent. Each is watched on its own. */
export interface Lane {
  /** Empty for the main agent. */
  readonly name: string;
  /** The state of each detector, in their order. */
  readonly states: unknown[];
  steps: Steps;
  messages: Messages;
  tally: Tally;
  episodes: Episode[];
}

/** With more lanes than this at once, the sub-agent that was active least recently is forgotten. */
export const maxLanes = 32;
/** The upper limit of `quiet`: a longer message is always read, so that the unread text that is kept stays small. */
const longestQuiet = 1024;

const aList = only('a list of detectors, such as balanced()', Array.isArray);
const aDetector = only('a detector, such as chanting() or one made by defineDetector', (value) => {
  const one = Object(value) as Detector;
  const parts = [one.start, one.observe, one.explain, one.save, one.load];
  return typeof one.name === 'string' && Array.isArray(one.reads) && parts.every((part) => typeof part === 'function');
});
const optionsLike = {
  detectors: (value: unknown, where: string) => aList(value, where) ?? problemIn([aDetector], value, where),
  tools: optional({}),
  onFault: optional(aFunction),
};

/** Throws if an option is wrong or two detectors have the same name. */
export function startSession(options: WatchOptions): Session {
  checked(optionsLike, options, 'options');
  const { detectors, tools = {}, onFault } = options;
  const names = detectors.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new TypeError(`options.detectors has two of the same name, ${quoted(twice)}`);
  const routes = routesOf(detectors);
  return {
    detectors,
    routes,
    rules: toolRules(tools),
    joins: routes.step.length > 0 || Object.keys(tools).length > 0,
    quiet: Math.min(longestQuiet, ...routes.words.map(({ detector }) => detector.quiet ?? 0)),
    onFault,
    seq: 0,
    byHarness: false,
    begun: 0,
    exemptions: [],
    lanes: new Map(),
    latest: undefined,
  };
}

/** The lane of a sub-agent or of the main agent; it begins now if there is none. */
export function laneOf(session: Session, name = ''): Lane {
  const { latest, lanes } = session;
  if (latest?.name === name) return latest;
  const lane = lanes.get(laneKey(name)) ?? startLane(session, laneKey(name));
  session.latest = lane;
  return lane;
}

/** The name by which a lane is kept and reported: very long ones are replaced, so that the state stays small. */
export function laneKey(name = ''): string {
  return shortKey(name, 400);
}

function startLane({ detectors, rules, lanes }: Session, name: string): Lane {
  if (lanes.size >= maxLanes) dropQuietest(lanes);
  const lane: Lane = {
    name,
    states: detectors.map((detector) => detector.start()),
    steps: createSteps(rules),
    messages: startMessages(),
    tally: startTally(),
    episodes: [],
  };
  lanes.set(name, lane);
  return lane;
}

function dropQuietest(lanes: Map<string, Lane>): void {
  let quietest: Lane | undefined;
  for (const lane of lanes.values())
    if (lane.name !== '' && (!quietest || lane.tally.last < quietest.tally.last)) quietest = lane;
  if (quietest) lanes.delete(quietest.name);
}

/** The detectors start afresh in a lane; the calls under way are still under way. */
export function forgetLane({ detectors }: Session, lane: Lane): void {
  detectors.forEach((detector, index) => {
    lane.states[index] = detector.start();
  });
  lane.messages = startMessages();
  lane.episodes = [];
}

export function report(session: Session, where: string, message: string, cause: unknown): void {
  reportFault(session, { where, message, seq: session.seq, cause });
}
