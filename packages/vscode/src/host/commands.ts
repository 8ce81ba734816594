/** Every command of the extension. The manifest contributes exactly these, and `activate` registers them. */
export const commandNames = [
  'newChat',
  'send',
  'attachSelection',
  'attachFile',
  'stop',
  'continue',
  'resume',
  'openSession',
  'openFinding',
  'refreshSessions',
  'deleteSession',
  'setApiKey',
  'forgetApiKey',
  'decideKey',
  'chooseModel',
  'toggleDetection',
  'showLoop',
  'showLog',
  'openSettings',
  'focus',
  'chooseFolder',
] as const;

export type CommandName = (typeof commandNames)[number];

/** Whether a full command name, such as `loopfuse.newChat`, is one of ours. */
export function isCommand(name: string): boolean {
  return commandNames.some((one) => name === `loopfuse.${one}`);
}
