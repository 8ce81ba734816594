/**
 * OpenHands' stuck detector: the same action with the same observation four times; the same action failing three
 * times, with whatever error; two actions with their observations in turn, six steps long; the same message three
 * times with nothing observed in between. After an alarm the run ends there; we go on with an empty history.
 *
 * @type {import('../quality-rules.mjs').Peer}
 */
export const openHands = {
  name: 'openhands',
  start() {
    /** @type {{ action: string, observation: string, failed: boolean }[]} */
    let rounds = [];
    /** @type {string[]} */
    let messages = [];

    function stuck() {
      if (same(rounds.slice(-4), 4, ({ action, observation }) => `${action} ${observation}`)) return 'same-observation';
      const failures = rounds.slice(-3);
      if (failures.every(({ failed }) => failed) && same(failures, 3, ({ action }) => action))
        return 'same-action-fails';
      return alternates(rounds.slice(-6)) ? 'alternation' : undefined;
    }

    return {
      prompt() {
        messages = [];
      },
      message(text) {
        messages.push(text);
        if (!same(messages.slice(-3), 3, (message) => message)) return undefined;
        messages = [];
        return 'monologue';
      },
      result({ tool, input, output, failed }) {
        messages = [];
        rounds.push({
          action: JSON.stringify([tool, input]),
          observation: JSON.stringify(output),
          failed: failed ?? readsAsError(output),
        });
        rounds = rounds.slice(-6);
        const what = stuck();
        if (what !== undefined) rounds = [];
        return what;
      },
    };
  },
};

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} times
 * @param {(item: Item) => string} key
 */
function same(items, times, key) {
  return items.length === times && items.every((item) => key(item) === key(items[0]));
}

/** @param {readonly { action: string, observation: string }[]} rounds */
function alternates(rounds) {
  const key = (/** @type {{ action: string, observation: string }} */ round) => `${round.action} ${round.observation}`;
  const even = rounds.filter((_, index) => index % 2 === 0);
  const odd = rounds.filter((_, index) => index % 2 === 1);
  return same(even, 3, key) && same(odd, 3, key);
}

/**
 * OpenHands marks errors by type. In traces without a mark, an error is a result that speaks of one at its beginning.
 *
 * @param {unknown} output
 */
function readsAsError(output) {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '');
  return /\b(?:errors?|exception|traceback)\b/i.test(text.slice(0, 300));
}
