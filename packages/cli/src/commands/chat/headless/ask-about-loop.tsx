import type { Client, ClientEvent } from '@loopfuse/agent';
import { render } from 'ink';
import type { Shell } from '../../../shell.js';
import { openKeyboard } from '../../../terminal/keys/keyboard.js';
import { type LoopAnswer, openLoopDialog, pressInLoopDialog } from '../screen/loop-dialog.js';
import { PageContext } from '../view/lines.js';
import { LoopDialogView } from '../view/loop-dialog-view.js';
import { pageOf } from '../view/page.js';

/**
 * Asks the user on standard error what to do about a loop, and returns how the run goes on, or `undefined` if it stops. A
 * signal that ends the process is an answer, too: it stops.
 */
export async function askAboutLoop(
  client: Client,
  shell: Shell,
  signal: AbortSignal,
): Promise<AsyncGenerator<ClientEvent, void> | undefined> {
  const { halted } = client;
  if (halted === undefined || signal.aborted) return undefined;
  const { choice, hint } = await ask();
  client.decide(choice, hint);
  if (choice !== 'stop') return client.continue(signal, hint);
  await client.save();
  return undefined;

  function ask(): Promise<LoopAnswer> {
    const { stdin, stderr } = shell.streams;
    const page = pageOf({ out: shell.err }, stderr);
    let dialog = openLoopDialog(halted!);
    const view = () => (
      <PageContext.Provider value={page}>
        <LoopDialogView dialog={dialog} />
      </PageContext.Provider>
    );
    const screen = render(view(), { stdin, stdout: stderr, exitOnCtrlC: false, patchConsole: false });
    return new Promise((resolve) => {
      const keyboard = openKeyboard(stdin, stderr, (key) => {
        const answer = pressInLoopDialog(dialog, key.type === 'interrupt' ? { type: 'escape' } : key);
        if (!('type' in answer)) return close(answer);
        dialog = answer;
        screen.rerender(view());
      });
      const onAbort = () => close({ choice: 'stop' });
      signal.addEventListener('abort', onAbort, { once: true });

      function close(answer: LoopAnswer): void {
        signal.removeEventListener('abort', onAbort);
        keyboard.close();
        screen.rerender(null); // what is drawn last, however late, is nothing
        screen.clear();
        screen.unmount();
        resolve(answer);
      }
    });
  }
}
