import type { HaltReport } from '@loopfuse/agent';
import type { Choice } from 'loopfuse';
import type { Editor } from '../editor.js';
import { askAboutLoop } from './ask-about-loop.js';
import type { Desk } from './desk.js';
import type { Outbox } from './outbox.js';
import type { Requests, Said, Work } from './requests.js';

/** Carries out what the user chooses about a loop, on the page or in a notification. */
export interface LoopAnswers {
  /** Resolves when what the choice started has ended. */
  answer(choice: Choice, hint?: string): Promise<void>;
  /** Asks in a notification. If the loop was answered on the page in the meantime, that answer counts. */
  askOutside(report: HaltReport, cost: number | undefined): Promise<void>;
}

export interface LoopAnswersOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly requests: Requests;
  readonly outbox: Outbox;
  /** Whether something can be sent; if not, the user is told why. */
  readonly isReady: () => Promise<boolean>;
  readonly run: (work: Work, said?: Said) => Promise<void>;
  /** Called when the choice was saved and no request follows. */
  readonly onSettled: () => void;
}

export function createLoopAnswers(options: LoopAnswersOptions): LoopAnswers {
  const { editor, desk, requests, outbox, isReady, run, onSettled } = options;

  /** Why a choice cannot be carried out; `undefined` when it can. */
  function problemOf(choice: Choice, hint: string): string | undefined {
    const { halted } = desk.client ?? {};
    if (halted === undefined) return 'No loop is waiting for a decision.';
    if (!halted.choices.includes(choice)) return `“${choice}” is not offered for this loop.`;
    return choice === 'hint' && hint === '' ? 'The hint is empty.' : undefined;
  }

  async function answer(choice: Choice, given = ''): Promise<void> {
    const hint = given.trim();
    const problem = problemOf(choice, hint);
    if (problem !== undefined) {
      outbox.send({ type: 'loop-choice-failed' });
      return outbox.send({ type: 'note', tone: 'warning', text: problem });
    }
    const { client } = desk;
    const { halted } = client ?? {};
    await requests.ended; // it has halted, so this does not take long
    if (choice !== 'stop' && !(await isReady())) return outbox.send({ type: 'loop-choice-failed' });
    if (client === undefined || desk.client?.halted !== halted) return; // answered twice; the first answer counts
    editor.log('info', `The person chose about the loop: ${choice}`);
    client.decide(choice, hint);
    outbox.send({ type: 'loop-answered', choice, ...(hint === '' ? {} : { hint }) });
    if (choice !== 'stop' && halted?.resumes === true)
      return run((one, signal) => one.continue(signal, hint), { text: hint || undefined });
    await client.save();
    onSettled();
  }

  return {
    answer,
    async askOutside(report, cost) {
      const asked = desk.client?.halted;
      const chosen = await askAboutLoop(editor, report, cost);
      if (chosen !== undefined && desk.client?.halted === asked) await answer(chosen.choice, chosen.hint);
    },
  };
}
