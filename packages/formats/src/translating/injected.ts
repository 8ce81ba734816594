/**
 * Whether a message in the user's name was put together by the agent: instructions, context and notices come wrapped
 * in one tag from end to end. They are no request of the user, and detectors must not start from scratch at them.
 */
export function isWrapped(text: string): boolean {
  const tag = /^\s*<([a-z][a-z_-]*)[ >]/i.exec(text.slice(0, 200))?.[1];
  return tag !== undefined && text.trimEnd().endsWith(`</${tag}>`);
}
