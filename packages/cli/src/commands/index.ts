import type { Command } from 'commander';
import type { Shell } from '../shell.js';

/** Adds one or more commands to the program. */
type Add = (program: Command, shell: Shell) => void;

/** A command as the help of the program lists it, and how to load it. */
export interface CommandEntry {
  readonly name: string;
  /** Its arguments, as in its usage. */
  readonly takes?: string;
  readonly summary: string;
  /** Loads the definition, with all that it needs: options, help, the names of the presets. */
  load(): Promise<Add>;
}

/** Every command in the order of the help. Only the one that is called is loaded, to start faster. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    takes: '<command...>',
    summary: 'guard an agent that you cannot change: Claude Code, Codex, …',
    load: async () => (await import('./run/index.js')).addRun,
  },
  {
    name: 'gateway',
    summary: 'guard the agents of a team: a server in front of your models',
    load: async () => (await import('./gateway/index.js')).addGateway,
  },
  {
    name: 'scan',
    takes: '[path...]',
    summary: 'find the loops in recorded sessions',
    load: async () => (await import('./scan/index.js')).addScan,
  },
  {
    name: 'watch',
    takes: '[path...]',
    summary: 'warn as soon as a running agent loops',
    load: async () => (await import('./watch/index.js')).addWatch,
  },
  {
    name: 'worker',
    takes: '<folder...>',
    summary: 'read files for a scan on another machine',
    load: async () => (await import('./worker/index.js')).addWorker,
  },
  {
    name: 'replay',
    takes: '<session> [path...]',
    summary: 'what each preset, or your settings, would have done with a session',
    load: async () => (await import('./replay/index.js')).addReplay,
  },
  {
    name: 'export',
    takes: '<session> [path...]',
    summary: 'write a session as a trace, with secrets masked',
    load: async () => (await import('./export/index.js')).addExport,
  },
  {
    name: 'chat',
    takes: '[message...]',
    summary: 'work with a guarded agent',
    load: async () => (await import('./chat/index.js')).addChat,
  },
  {
    name: 'demo',
    summary: 'watch a stuck agent being caught',
    load: async () => (await import('./demo/index.js')).addDemo,
  },
  {
    name: 'install',
    takes: '<agent...>',
    summary: 'guard a coding agent through its hooks',
    load: async () => (await import('./install/index.js')).addInstall,
  },
  {
    name: 'uninstall',
    takes: '<agent...>',
    summary: 'take Loopfuse out of a coding agent again',
    load: async () => (await import('./install/index.js')).addUninstall,
  },
  {
    name: 'status',
    summary: 'show which coding agents are guarded',
    load: async () => (await import('./install/index.js')).addStatus,
  },
  {
    name: 'hook',
    takes: '<agent> [event]',
    summary: 'what guarded coding agents call',
    load: async () => (await import('./install/index.js')).addHook,
  },
];
