/**
 * Whether a message with the user's role was made by the agent: instructions, context and notices are wrapped in one
 * tag. They are not requests of the user, so detectors must not start again after them.
 */
export function isWrapped(text: string): boolean {
  const tag = /^\s*<([a-z][a-z_-]*)[ >]/i.exec(text.slice(0, 200))?.[1];
  return tag !== undefined && text.trimEnd().endsWith(`</${tag}>`);
}
