/**
 * Makes a stream on which two disagree as small as they still do: fewer operations, then shorter texts.
 *
 * @typedef {import('./streams.mjs').Operation} Operation
 */

/**
 * @param {readonly Operation[]} stream
 * @param {(stream: readonly Operation[]) => Promise<boolean>} disagrees
 * @returns {Promise<readonly Operation[]>}
 */
export async function shrink(stream, disagrees) {
  let smallest = stream;
  for (let before = -1; before !== sizeOf(smallest); ) {
    before = sizeOf(smallest);
    smallest = await without(smallest, disagrees);
    smallest = await shortened(smallest, disagrees);
  }
  return smallest;
}

/** Leaves out runs of operations, long ones first. */
async function without(
  /** @type {readonly Operation[]} */ stream,
  /** @type {(stream: readonly Operation[]) => Promise<boolean>} */ disagrees,
) {
  let smallest = stream;
  for (let run = smallest.length >> 1; run > 0; run >>= 1) {
    for (let at = 0; at < smallest.length; ) {
      const fewer = [...smallest.slice(0, at), ...smallest.slice(at + run)];
      if (await disagrees(fewer)) smallest = fewer;
      else at += run;
    }
  }
  return smallest;
}

/** Cuts characters out of the texts. */
async function shortened(
  /** @type {readonly Operation[]} */ stream,
  /** @type {(stream: readonly Operation[]) => Promise<boolean>} */ disagrees,
) {
  let smallest = stream;
  for (let at = 0; at < smallest.length; at++) {
    for (let run = textOf(smallest[at]).length >> 1; run > 0; run >>= 1) {
      for (let from = 0; from < textOf(smallest[at]).length; ) {
        const text = textOf(smallest[at]);
        const value = text.slice(0, from) + text.slice(from + run);
        const shorter = smallest.with(at, { type: 'event', event: { type: 'content', value } });
        if (await disagrees(shorter)) smallest = shorter;
        else from += run;
      }
    }
  }
  return smallest;
}

function sizeOf(/** @type {readonly Operation[]} */ stream) {
  return stream.reduce((sum, operation) => sum + 1 + textOf(operation).length, 0);
}

/** @returns {string} */
function textOf(/** @type {Operation | undefined} */ operation) {
  return operation?.type === 'event' && operation.event.type === 'content' ? operation.event.value : '';
}
