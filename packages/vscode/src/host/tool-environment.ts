/**
 * The environment without the variables that the editor sets for its own processes. With them, a program that the agent runs
 * would act as a part of the editor.
 */
export function toolEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || /^(?:ELECTRON|VSCODE)_/i.test(name) ? [] : [[name, value]],
    ),
  );
}
