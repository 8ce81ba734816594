/**
 * The environment without what the editor has put there for its own processes: a program that the agent runs would take
 * itself for a part of the editor.
 */
export function toolEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || /^(?:ELECTRON|VSCODE)_/i.test(name) ? [] : [[name, value]],
    ),
  );
}
