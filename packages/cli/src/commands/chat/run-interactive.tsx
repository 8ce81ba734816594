import { type Item, note } from '@loopfuse/conversation';
import { render } from 'ink';
import type { Shell } from '../../shell.js';
import { endingCodes, interruption } from '../../terminal/interruption.js';
import { openKeyboard } from '../../terminal/keys/keyboard.js';
import { UsageError } from '../../usage-error.js';
import { startChat } from './chat-session.js';
import { askFirstRun } from './first-run/ask-first-run.js';
import { openOrAsk } from './first-run/open-or-ask.js';
import type { ChatFlags } from './flags.js';
import { goOn } from './go-on.js';
import { passedOver } from './passed-over.js';
import { startRecording } from './telemetry.js';
import { App } from './view/app.js';
import { pageOf } from './view/page.js';

/** `loopfuse chat` at a terminal. */
export async function runInteractive(flags: ChatFlags, shell: Shell): Promise<void> {
  const { stdin, stdout, stderr } = shell.streams;
  const { agent, notes } = await openOrAsk(flags, shell, askFirstRun);
  const kept = flags.resume === undefined ? undefined : await agent.find(flags.resume);
  if (flags.message !== undefined && kept?.session.halted !== undefined)
    throw new UsageError('That session waits for your decision about a loop. Resume it without a message first.');
  const { preset = 'balanced' } = agent.settings;
  const disable = agent.settings.disable === true || kept?.session.guard?.disabled === true;
  const problems: string[] = []; // later ones are not shown, because a line between would break the screen
  const recording = await startRecording(shell.env, (message) => problems.push(message));
  const greeting: Item[] = [
    note(`${agent.model.name} of ${agent.model.provider} in ${agent.root}`),
    note(`Loop guard ${disable ? 'off' : `on, ${preset}`}. /help lists what there is; Ctrl-C twice leaves.`),
    ...notes,
    ...[...agent.warnings, ...passedOver(kept), ...problems].map((warning) => note(warning, 'warning')),
  ];
  const page = () => pageOf(shell, stdout);
  const chat = startChat({ agent, kept, greeting, trace: recording.trace, page });
  const screen = render(<App chat={chat} shell={shell} />, { stdin, stdout, stderr, exitOnCtrlC: false });
  const keyboard = openKeyboard(stdin, stdout, chat.press);
  const interrupted = interruption('everything'); // in raw mode Ctrl-C is a key, not a signal
  interrupted.signal.addEventListener('abort', () => chat.quit(), { once: true });
  if (flags.message !== undefined) {
    chat.press({ type: 'text', text: flags.message });
    chat.press({ type: 'enter' });
  }
  try {
    await chat.left;
    if (interrupted.by !== undefined) shell.exitCode = endingCodes[interrupted.by];
  } finally {
    interrupted.end();
    keyboard.close();
    screen.rerender(<App chat={chat} shell={shell} left />);
    screen.unmount();
    await recording.stop();
  }
  const { sessionId } = chat;
  if (sessionId !== undefined)
    await shell.out.write(shell.out.paint(`To continue it: ${goOn(flags, sessionId, shell)}\n`, 'dim'));
}
