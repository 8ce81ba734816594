/** How long anything may take on a busy machine before a scene is given up. */
export const patience = 90_000;

/** How long a single step may take before it is taken again, because the focus went elsewhere or what was touched is gone. */
export const shortly = 15_000;

/** Waits until `look` gives something true, and gives it back. What throws is looked at again, too. */
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
