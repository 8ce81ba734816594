/** How long anything may take on a busy machine before a scene is given up. */
export const patience = 90_000;

/** Waits until `look` gives something true, and gives it back. What throws is looked at again, too. */
export async function until(what, look) {
  const end = Date.now() + patience;
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
