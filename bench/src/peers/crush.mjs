/**
 * Crush: among the last ten steps with tools, one signature (calls and their results) occurs more than five times.
 * Our traces do not mark steps, so a step is one call with its result. It stops the run silently; we count one alarm
 * and begin a new window.
 *
 * @type {import('../quality-rules.mjs').Peer}
 */
export const crush = {
  name: 'crush',
  start() {
    const window = 10;
    const most = 5;
    /** @type {string[]} */
    let steps = [];
    return {
      result({ tool, input, output }) {
        const step = JSON.stringify([tool, input, output]);
        steps.push(step);
        if (steps.length > window) steps.shift();
        if (steps.length < window) return undefined;
        /** @type {Map<string, number>} */
        const counts = new Map();
        for (const one of steps) counts.set(one, (counts.get(one) ?? 0) + 1);
        if (Math.max(...counts.values()) <= most) return undefined;
        steps = [];
        return 'repeated-steps';
      },
    };
  },
};
