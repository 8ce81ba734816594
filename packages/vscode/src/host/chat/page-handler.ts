import type { Files } from '@loopfuse/agent';
import { readToHost, type ToHost, type Tone } from '../../protocol/index.js';
import { isCommand } from '../commands.js';
import type { Editor } from '../editor.js';
import type { Approvals } from './approvals.js';
import type { Attachments } from './attachments.js';
import { changeOf } from './change-of.js';
import type { Chat } from './chat.js';
import type { Desk } from './desk.js';
import { editorCommands } from './offer-help.js';
import type { Outbox } from './outbox.js';
import { workspacePath } from './workspace-path.js';

export interface PageHandlerOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly approvals: Approvals;
  readonly attachments: Attachments;
  readonly outbox: Outbox;
  /** The files that the agent's tools read. */
  readonly files: Pick<Files, 'read'>;
  readonly tell: (text: string, tone?: Tone) => void;
  /** Sends everything to a page that has just loaded. */
  readonly openPage: () => Promise<void>;
  readonly showFacts: () => void;
  /** Reports errors and never throws. */
  readonly safely: (work: () => void | Promise<void>) => Promise<void>;
  /** `send` sends the attachments as well. */
  readonly actions: Pick<Chat, 'send' | 'stop' | 'goOn' | 'answerLoop' | 'newChat' | 'resume'> & {
    readonly undo: (id: number) => Promise<void>;
    readonly retry: () => Promise<void>;
  };
}

/** Validates the messages of the page and carries them out. Invalid ones are logged. */
export function createPageHandler(options: PageHandlerOptions): (message: unknown) => void {
  const { editor, desk, approvals, attachments, outbox, files, tell, openPage, showFacts, safely, actions } = options;

  async function openDiff(id: number): Promise<void> {
    const display = approvals.find(id)?.display;
    const root = desk.agent?.root;
    const change = display?.type === 'diff' && root !== undefined ? await changeOf(root, display, files) : undefined;
    if (change === undefined)
      tell('This change is not waiting for approval any more, or the file has changed since.', 'warning');
    else editor.openDiff(`${change.after.path} (what the agent would change)`, change.before, change.after);
  }

  function openFile(path: string): void {
    const root = desk.agent?.root;
    const found = root === undefined ? undefined : workspacePath(root, path);
    if (found === undefined) tell(`${path} is not a file in this folder.`, 'warning');
    else editor.openFile(found.file, found.line);
  }

  async function attach(): Promise<void> {
    const excerpt = editor.excerpt();
    if (excerpt === undefined) tell('No text is open in the editor: open a file, then attach it.', 'warning');
    else await attachments.add(excerpt);
  }

  async function listSessions(): Promise<void> {
    await desk.connect();
    const found = (await desk.agent?.sessions()) ?? [];
    const sessions = found.map(({ file, ...row }) => row);
    outbox.send({ type: 'sessions', sessions });
  }

  /** Restores what was removed from the model's context. */
  async function restore(id: string): Promise<void> {
    const { client } = desk;
    if (client === undefined) return;
    if (client.busy)
      return outbox.send({ type: 'note', tone: 'warning', text: 'Stop the request first, then restore it.' });
    const isBack = client.restore(id);
    if (isBack) await client.save();
    outbox.send(
      isBack
        ? { type: 'note', tone: 'good', text: 'What was taken out of the context of the model is back.' }
        : {
            type: 'note',
            tone: 'warning',
            text: 'There is nothing to restore: it was restored before, or the history was compressed since.',
          },
    );
  }

  const answers: {
    readonly [Type in ToHost['type']]: (message: Extract<ToHost, { type: Type }>) => void | Promise<void>;
  } = {
    ready: openPage,
    send: ({ text }) => actions.send(text),
    attach,
    detach: ({ id }) => attachments.remove(id),
    stop: actions.stop,
    continue: actions.goOn,
    restore: ({ id }) => restore(id),
    retry: actions.retry,
    'undo-edits': ({ id }) => actions.undo(id),
    'answer-loop': ({ choice, hint }) => actions.answerLoop(choice, hint),
    'answer-approval': ({ id, answer }) => void approvals.answer(id, answer),
    'open-diff': ({ id }) => openDiff(id),
    'new-chat': actions.newChat,
    'list-sessions': listSessions,
    resume: ({ id }) => actions.resume(id),
    'set-approval'({ mode }) {
      desk.setApproval(mode);
      editor.log('info', `Approval is ${mode} from now on`);
      showFacts();
    },
    'open-file': ({ path }) => openFile(path),
    copy: ({ text }) => editor.copy(text),
    command({ command }) {
      const own = editorCommands[command];
      if (own !== undefined) editor.run(own);
      else if (isCommand(command)) editor.run(command);
      else editor.log('warn', `The page asked for ${command}, which is not a command of this extension`);
    },
    problem: ({ message }) => editor.log('warn', `The page: ${message}`),
  };

  function read(value: unknown): ToHost | undefined {
    try {
      return readToHost(value);
    } catch (cause) {
      editor.log('warn', String(cause));
      return undefined;
    }
  }

  return (value) => {
    const message = read(value);
    if (message === undefined) return;
    void safely(() => (answers[message.type] as (one: ToHost) => void | Promise<void>)(message));
  };
}
