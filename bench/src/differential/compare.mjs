import { createWatch, resumeWatch } from 'loopfuse';
import { presets } from 'loopfuse/presets';
import { LoopDetectionService } from 'loopfuse/service';

/**
 * Plays one stream to an original, to our drop-in service and to a watch with our preset.
 *
 * @typedef {import('./streams.mjs').Operation} Operation
 * @typedef {import('./originals.mjs').Conversation} Conversation
 * @typedef {import('./originals.mjs').Service} Service
 * @typedef {'consecutive_identical_tool_calls' | 'chanting_identical_sentences' | 'llm_detected_loop'} LoopType
 * @typedef {{ at: number, operation: Operation, theirs: string, ours: string, who: string }} Disagreement
 * @typedef {{ fired: Set<LoopType>, verdicts: number, disagreement: Disagreement | undefined }} Outcome
 * @typedef {{ name: 'gemini-cli' | 'qwen-code', make: (conversation: Conversation) => Service }} Loaded
 */

/**
 * @param {Loaded} original
 * @param {readonly Operation[]} stream
 * @returns {Promise<Outcome>}
 */
export async function compare({ name, make }, stream) {
  const signal = new AbortController().signal;
  /** @type {Conversation} */
  const conversation = { entries: [], answer: 'error', asked: undefined };
  const theirs = make(conversation);
  let off = false;
  /** @type {readonly unknown[] | undefined} */
  let asked;
  /** @type {string[]} */
  const told = [];
  const ours = new LoopDetectionService({
    preset: name,
    model: () => 'some-preview-model',
    history: () => conversation.entries,
    disabled: () => off,
    async judge({ history }) {
      asked = history;
      if (conversation.answer === 'error') throw new Error('the judge does not answer');
      return { analysis: '', confidence: /** @type {number} */ (conversation.answer) };
    },
    onDetected: ({ type }) => told.push(type),
  });
  const options = { detectors: presets[name].make() };
  let watch = createWatch(options);
  let switchedOff = false;
  let latched = false;
  let detections = 0;
  let verdicts = 0;
  /** @type {Set<LoopType>} */
  const fired = new Set();

  /** @returns {Outcome} */
  function outcome(/** @type {Disagreement | undefined} */ disagreement) {
    return { fired, verdicts, disagreement };
  }

  for (const [at, operation] of stream.entries()) {
    const differ = (/** @type {string} */ who, /** @type {unknown} */ their, /** @type {unknown} */ our) =>
      outcome({ at, operation, who, theirs: String(their), ours: String(our) });
    switch (operation.type) {
      case 'reset':
        theirs.reset(operation.id);
        ours.reset(operation.id);
        watch.observe({ type: 'prompt', id: operation.id });
        latched = false;
        continue;
      case 'disable':
        if (theirs.disableForSession === undefined) continue;
        theirs.disableForSession();
        ours.disableForSession();
        switchedOff = true;
        continue;
      case 'off':
      case 'on':
        off = operation.type === 'off';
        continue;
      case 'resume':
        watch = resumeWatch(options, JSON.parse(JSON.stringify(watch.snapshot())));
        continue;
      case 'event': {
        verdicts++;
        // Whoever switches detection off in the configuration does not call the original at all.
        const their = off ? false : theirs.addAndCheck(operation.event);
        const our = ours.addAndCheck(operation.event);
        if (our !== their) return differ('service', their, our);
        const watched = eventOf(operation.event);
        if (!off && !switchedOff && watched !== undefined) {
          const seen = watch.observe(watched).status === 'looping';
          if (seen !== their) return differ('watch', their, seen);
        }
        if (their && !latched) {
          latched = true;
          detections++;
          const type = typeOf(operation.event);
          fired.add(type);
          if (ours.getDetectedLoopType() !== type) return differ('type', type, ours.getDetectedLoopType());
        }
        if (told.length !== detections) return differ('onDetected', detections, told.length);
        continue;
      }
      case 'turn': {
        verdicts++;
        conversation.entries = operation.entries;
        conversation.answer = operation.answer;
        conversation.asked = undefined;
        asked = undefined;
        const their = off ? false : await theirs.turnStarted(signal);
        const our = await ours.turnStarted(signal);
        if (our !== their) return differ('service', their, our);
        const shown = JSON.stringify(conversation.asked);
        if (JSON.stringify(asked) !== shown) return differ('judge', shown, JSON.stringify(asked));
        if (conversation.asked !== undefined && typeof operation.answer === 'number') {
          const seen = watch.observe(opinionOf(operation.answer)).status === 'looping';
          if (seen !== their) return differ('watch', their, seen);
        }
        if (!their) continue;
        detections++;
        fired.add('llm_detected_loop');
        if (told.length !== detections) return differ('onDetected', detections, told.length);
      }
    }
  }
  return outcome(undefined);
}

/**
 * The event as a host that uses the watch would show it; undefined for what has no counterpart.
 *
 * @returns {import('loopfuse').AgentEvent | undefined}
 */
function eventOf(/** @type {any} */ { type, value }) {
  switch (type) {
    case 'content':
      return { type: 'text', text: value };
    case 'tool_call_request':
      return { type: 'tool-call', id: value.callId, tool: value.name, input: value.args };
    case 'thought':
      return { type: 'reasoning', text: value.description };
    case 'finished':
      return { type: 'turn-end', reason: value };
    case 'retry':
      return { type: 'retry' };
    case 'chat_compressed':
      return { type: 'compaction' };
    default:
      return undefined;
  }
}

/** @returns {import('loopfuse').AgentEvent} */
function opinionOf(/** @type {number} */ confidence) {
  return { type: 'opinion', by: 'judge', confidence, analysis: '' };
}

/** @returns {LoopType} */
function typeOf(/** @type {{ type: string }} */ { type }) {
  return type === 'content' ? 'chanting_identical_sentences' : 'consecutive_identical_tool_calls';
}
