export * from './bundle-path.js';
export * from './install/agents.js';
export { applyInstall, applyUninstall } from './install/apply.js';
export { diffOf } from './install/diff.js';
export { type Change, fileOf, type InstallOptions, planInstall, planUninstall } from './install/plan.js';
export { SettingsProblem } from './install/settings-text.js';
export { type Status, statusOf } from './install/status.js';
export { type HookReply, type HookRequest, runHook } from './run-hook.js';
