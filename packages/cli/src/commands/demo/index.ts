import type { Command } from 'commander';
import type { Shell } from '../../shell.js';

/** `loopfuse demo` */
export function addDemo(program: Command, shell: Shell): void {
  program
    .command('demo')
    .summary('watch a stuck agent being caught')
    .description(
      'Plays the recording of an agent that keeps sending the same rejected edit through the guard: what is seen, when the circuit trips, why, and what is decided. Needs no key and no network.',
    )
    .option('--fast', 'without pauses; they are left out anyway when nobody watches')
    .addHelpText(
      'after',
      `
Examples:
  loopfuse demo
  loopfuse demo --fast
  loopfuse demo | cat          plain text`,
    )
    .showHelpAfterError(`Run "${shell.command} demo --help" to see how it is used.`)
    .action(async ({ fast = false }: { fast?: boolean }) => {
      const { demo } = await import('./demo.js');
      await demo({ fast }, shell);
    });
}
