import type { Command } from 'commander';
import type { Shell } from '../../shell.js';

/** `loopfuse demo` */
export function addDemo(program: Command, shell: Shell): void {
  program
    .command('demo')
    .description(
      'Runs the real agent, in a folder of its own, with a scripted model that keeps sending the same rejected edit: what the guard sees, when the circuit trips, why, and what is decided. Once the model listens and recovers, once it does not and is stopped. Needs no key and no network.',
    )
    .option('--recorded', 'the recording of a longer session, played through the guard')
    .option('--fast', 'without pauses; they are left out anyway when nobody watches')
    .addHelpText(
      'after',
      `
Examples:
  loopfuse demo
  loopfuse demo --fast
  loopfuse demo --recorded     an agent that was left alone for 45 calls
  loopfuse demo | cat          plain text`,
    )
    .showHelpAfterError(`Run "${shell.command} demo --help" for usage.`)
    .action(async ({ fast = false, recorded = false }: { fast?: boolean; recorded?: boolean }) => {
      const { demo } = await import('./demo.js');
      await demo({ fast, fromRecording: recorded }, shell);
    });
}
