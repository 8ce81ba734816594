const oldest = { major: 20, minor: 19 };

/** The message for a version of Node that is too old; `undefined` for others. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  const needed = `${oldest.major}.${oldest.minor}`;
  return `Node.js ${needed} or newer is needed, and this is ${version}. Install a newer one from https://nodejs.org and try again.`;
}
