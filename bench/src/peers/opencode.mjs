/**
 * opencode's `doom_loop`: the last three calls are the same tool with the same stringified input (key order matters).
 * Restated without its blindness to text between the calls and to earlier messages, which would hide most of them.
 * It asks at every further equal call; we count one alarm for one run of equal calls.
 *
 * @type {import('../quality-rules.mjs').Peer}
 */
export const opencode = {
  name: 'opencode',
  start() {
    const threshold = 3;
    let last = '';
    let times = 0;
    return {
      call({ tool, input }) {
        const call = `${tool} ${JSON.stringify(input)}`;
        times = call === last ? times + 1 : 1;
        last = call;
        return times === threshold ? 'doom-loop' : undefined;
      },
    };
  },
};
