/**
 * Roo Code: the same call (tool and canonical arguments) in a row; three may pass, the fourth is refused. Results,
 * cycles and text are not looked at. After a refusal the count starts again.
 *
 * @type {import('../quality-rules.mjs').Peer}
 */
export const rooCode = {
  name: 'roo-code',
  start() {
    const limit = 3;
    let last = '';
    let times = 0;
    return {
      call({ tool, input }) {
        const call = `${tool} ${canonical(input)}`;
        times = call === last ? times + 1 : 1;
        last = call;
        if (times <= limit) return undefined;
        times = 0;
        last = '';
        return 'identical-calls';
      },
    };
  },
};

/** @param {unknown} value @returns {string} JSON with sorted keys */
function canonical(value) {
  return JSON.stringify(value, (_key, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
