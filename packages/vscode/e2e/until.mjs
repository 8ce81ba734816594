/** How long anything may take on a busy machine before the scene fails. */
export const patience = 90_000;

/** How long a single step may take before it is repeated, because the focus went elsewhere or the element is gone. */
export const shortly = 15_000;

/** Waits until `look` returns something true, and returns it. If `look` throws, it is called again. */
export async function until(what, look, within = patience) {
  const end = Date.now() + within;
  let cause;
  for (;;) {
    try {
      const found = await look();
      if (found) return found;
      cause = undefined;
    } catch (thrown) {
      cause = thrown;
    }
    if (Date.now() > end) throw new Error(`it never came about that ${what}`, { cause });
    await new Promise((later) => setTimeout(later, 50));
  }
}
