import { callRun } from './calls.mjs';
import { deltas, scrap } from './texts.mjs';

/**
 * What happens to a loop detector in a session, made from a seed.
 *
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {import('./texts.mjs').Window} Window
 * @typedef {number | 'error' | null} Answer a confidence, no answer at all, or one without a confidence
 * @typedef {(
 *   | { type: 'reset', id: string }
 *   | { type: 'event', event: { type: string, value?: any } }
 *   | { type: 'turn', entries: readonly unknown[], answer: Answer }
 *   | { type: 'disable' | 'off' | 'on' | 'resume' }
 * )} Operation
 */

const threshold = 5;

/** What streams are about, and which type of loop should be found in many of them; null for any. */
export const subjects = /** @type {const} */ ({
  calls: 'consecutive_identical_tool_calls',
  text: 'chanting_identical_sentences',
  turns: 'llm_detected_loop',
  mixture: null,
});

/** @typedef {keyof typeof subjects} Subject */

/**
 * @param {Random} random
 * @param {Window} window
 * @returns {{ subject: Subject, operations: Operation[] }}
 */
export function makeStream(random, window) {
  const choice = random.between(0, 99);
  const subject = choice < 25 ? 'calls' : choice < 75 ? 'text' : choice < 90 ? 'mixture' : 'turns';
  const operations = random.oneIn(10) ? [] : [reset(random)];
  const parts = makers[subject](random, window);
  operations.push(...parts);
  return { subject, operations };
}

/** @type {{ readonly [Name in Subject]: (random: Random, window: Window) => Operation[] }} */
const makers = {
  calls(random) {
    const operations = [];
    for (let runs = random.between(1, 8); runs > 0; runs--) operations.push(...called(random, 4));
    return operations;
  },
  text(random, window) {
    const operations = written(random, window, 40);
    if (random.oneIn(6)) operations.push(reset(random), ...written(random, window, 40));
    for (let resumes = random.between(0, 2); resumes > 0; resumes--)
      operations.splice(random.between(0, operations.length), 0, { type: 'resume' });
    return operations;
  },
  mixture(random, window) {
    const operations = [];
    for (let parts = random.between(2, 4); parts > 0; parts--) {
      operations.push(...(random.oneIn(2) ? called(random, 3) : written(random, window, 15)));
      if (random.oneIn(2)) operations.push(interruption(random));
    }
    return operations;
  },
  turns(random, window) {
    const operations = [];
    for (let prompts = random.between(1, 2); prompts > 0; prompts--) {
      for (let turns = random.between(25, 75); turns > 0; turns--) {
        operations.push(turn(random));
        if (random.oneIn(8)) operations.push(...called(random, 4).slice(0, 3));
        if (random.oneIn(60)) operations.push(interruption(random));
      }
      if (random.oneIn(4)) operations.push(...written(random, window, 40));
      if (prompts > 1) operations.push(reset(random));
    }
    return operations;
  },
};

/** A run of calls, with other events in between once in so many times. */
function called(/** @type {Random} */ random, /** @type {number} */ rarely) {
  return callRun(random, threshold).flatMap((value) => {
    const call = event('tool_call_request', value);
    if (!random.oneIn(rarely)) return [call];
    return random.oneIn(8) ? [interruption(random), call] : [aside(random), call];
  });
}

/** A message, with other events in between once in so many times. */
function written(/** @type {Random} */ random, /** @type {Window} */ window, /** @type {number} */ rarely) {
  return deltas(random, window).flatMap((value) => {
    const content = event('content', value);
    if (!random.oneIn(rarely)) return [content];
    if (random.oneIn(4)) return [...called(random, 100).slice(0, 1), content];
    return random.oneIn(8) ? [interruption(random), content] : [quiet(random), content];
  });
}

/** An event that says nothing about loops. */
function quiet(/** @type {Random} */ random) {
  switch (random.between(0, 5)) {
    case 0:
      return event('finished', 'STOP');
    case 1:
      return event('retry');
    case 2:
      return event('chat_compressed', null);
    case 3:
      return event('citation', 'a source');
    case 4:
      return /** @type {const} */ ({ type: 'resume' });
    default:
      return event('thought', { subject: 'Thinking', description: scrap(random) });
  }
}

function aside(/** @type {Random} */ random) {
  return random.oneIn(2) ? event('content', scrap(random)) : quiet(random);
}

/** @returns {Operation} */
function interruption(/** @type {Random} */ random) {
  switch (random.between(0, 9)) {
    case 0:
      return { type: 'disable' };
    case 1:
      return { type: 'off' };
    case 2:
    case 3:
      return { type: 'on' };
    case 4:
    case 5:
      return { type: 'resume' };
    case 6:
      return event('content', '```');
    default:
      return reset(random);
  }
}

/** @returns {Operation} */
function turn(/** @type {Random} */ random) {
  const confidences = [0, 0.1, 0.3, 0.5, 0.65, 0.85, 0.89, 0.9, 0.9, 0.900001, 0.95, 1];
  /** @type {Answer} */
  const answer = random.oneIn(6) ? random.pick(['error', null]) : random.pick(confidences);
  return { type: 'turn', answer, entries: Array.from({ length: random.between(0, 25) }, () => entry(random)) };
}

/** An entry of a conversation: text, calls, results, several at once, none. */
function entry(/** @type {Random} */ random) {
  const part = () =>
    random.pick([{ text: 'go on' }, { functionCall: { name: 'ls' } }, { functionResponse: { name: 'ls' } }]);
  const one = part();
  const parts = random.oneIn(12) ? [] : random.oneIn(4) ? [part(), part()] : [one];
  const role = random.oneIn(5) ? random.pick(['user', 'model']) : 'functionCall' in one ? 'model' : 'user';
  return random.oneIn(20) ? { role } : { role, parts };
}

/** @returns {Operation} */
function event(/** @type {string} */ type, /** @type {unknown} */ value = undefined) {
  return { type: 'event', event: value === undefined ? { type } : { type, value } };
}

/** @returns {Operation} */
function reset(/** @type {Random} */ random) {
  return { type: 'reset', id: `prompt-${random.between(0, 9)}` };
}
