import { createWatch } from 'loopfuse';
import { presetNames, presets } from 'loopfuse/presets';
import { crush } from './peers/crush.mjs';
import { openHands } from './peers/open-hands.mjs';
import { opencode } from './peers/opencode.mjs';
import { rooCode } from './peers/roo-code.mjs';

/**
 * A set of rules under test: `start` begins a session and gives the function that takes its events.
 *
 * @typedef {import('./score.mjs').Alarm} Alarm
 * @typedef {import('loopfuse').AgentEvent} AgentEvent
 * @typedef {{ name: string, start(): (event: AgentEvent, seq: number) => readonly Alarm[] }} Rules
 */

/**
 * A peer's rule, restated. Each method says what it saw, if anything; `call` is asked when a call is made, `result`
 * when its result is there.
 *
 * @typedef {{ tool: string, input: unknown }} Call
 * @typedef {Call & { output: unknown, failed: boolean | undefined }} Round
 * @typedef {{
 *   prompt?(): void,
 *   message?(text: string): string | undefined,
 *   call?(call: Call): string | undefined,
 *   result?(round: Round): string | undefined,
 * }} PeerSession
 * @typedef {{ name: string, start(): PeerSession }} Peer
 */

const peers = [openHands, opencode, rooCode, crush];

/** The names that `rulesNamed` knows, in the order of the table. */
export const ruleNames = [...presetNames, ...peers.map((peer) => peer.name)];

/**
 * @param {string} name
 * @param {(line: string) => void} warn hears of faults inside our own detectors
 * @returns {Rules}
 */
export function rulesNamed(name, warn) {
  const peer = peers.find((one) => one.name === name);
  if (peer) return peerRules(peer);
  if (!Object.hasOwn(presets, name))
    throw new RangeError(`unknown preset "${name}": it is one of ${ruleNames.join(', ')}`);
  const preset = presets[/** @type {import('loopfuse/presets').PresetName} */ (name)];
  return presetRules(name, { detectors: preset.make() }, warn);
}

/**
 * Alarms are the first `looping` findings of each episode. `begin` begins a watch: that of another build, where one is given.
 *
 * @param {string} name
 * @param {import('loopfuse').WatchOptions} options
 * @param {(line: string) => void} warn
 * @param {typeof createWatch} [begin]
 * @returns {Rules}
 */
export function presetRules(name, options, warn, begin = createWatch) {
  return {
    name,
    start() {
      const watch = begin({
        ...options,
        onFault: ({ where, message, seq }) => warn(`${name}: fault in ${where} at event ${seq}: ${message}`),
      });
      return (event) => {
        const verdict = watch.observe(event);
        if (verdict.status !== 'looping') return none;
        return verdict.findings
          .filter(({ status, again }) => status === 'looping' && again === 0)
          .map(({ seq, detector, onset, confidence, lane }) => ({
            seq,
            detector,
            onset,
            confidence,
            ...(lane === undefined ? {} : { lane }),
          }));
      };
    },
  };
}

/** @type {readonly Alarm[]} */
const none = [];

/**
 * Peers know nothing of lanes: each lane gets a session of its own, as each sub-agent would.
 *
 * @param {Peer} peer
 * @returns {Rules}
 */
function peerRules(peer) {
  return {
    name: peer.name,
    start() {
      /** @type {Map<string, { session: PeerSession, pending: Map<string, Call>, said: string }>} */
      const lanes = new Map();
      return (event, seq) => {
        const name = event.lane ?? '';
        const lane = lanes.get(name) ?? { session: peer.start(), pending: new Map(), said: '' };
        lanes.set(name, lane);
        return tell(lane, event).map((detector) => ({ seq, detector }));
      };
    },
  };
}

/**
 * @param {{ session: PeerSession, pending: Map<string, Call>, said: string }} lane
 * @param {AgentEvent} event
 * @returns {string[]} what the peer saw
 */
function tell(lane, event) {
  const { session, pending } = lane;
  const seen = [];
  if (event.type === 'text') {
    lane.said += event.text;
    return [];
  }
  if (event.type !== 'reasoning' && lane.said !== '') {
    seen.push(session.message?.(lane.said));
    lane.said = '';
  }
  if (event.type === 'prompt') session.prompt?.();
  if (event.type === 'tool-call') {
    const call = { tool: event.tool, input: event.input };
    pending.set(event.id, call);
    seen.push(session.call?.(call));
  }
  if (event.type === 'tool-result') {
    // Some logs give results no id: they answer the oldest open call.
    const id = pending.has(event.id) ? event.id : event.id === '' ? pending.keys().next().value : undefined;
    const call = id === undefined ? undefined : pending.get(id);
    if (id !== undefined && call) {
      pending.delete(id);
      seen.push(session.result?.({ ...call, output: event.output, failed: event.failed }));
    }
  }
  return seen.filter((what) => what !== undefined);
}
