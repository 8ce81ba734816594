import { type Attachment, bounded, createWorkspace, isSensitive, OutsideWorkspace } from '@loopfuse/agent';
import { attachmentInWords } from '@loopfuse/conversation';
import { grouped } from 'loopfuse/words';
import type { Attached, Tone } from '../../protocol/index.js';
import type { Editor, Excerpt } from '../editor.js';
import type { Desk } from './desk.js';
import type { Outbox } from './outbox.js';

/** What will be sent with the next message. The text is read when it is attached, so later changes are not sent. */
export interface Attachments {
  readonly list: readonly Attached[];
  /** Attaches it, unless it is outside of the folder that the agent works in; then a note says why. */
  add(excerpt: Excerpt): Promise<void>;
  remove(id: number): void;
  /** Returns all attachments and removes them. */
  take(): readonly Attachment[];
}

export interface AttachmentsOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly outbox: Outbox;
  readonly tell: (text: string, tone?: Tone) => void;
}

/** The most attachments of one message. */
const most = 10;

export function createAttachments({ editor, desk, outbox, tell }: AttachmentsOptions): Attachments {
  let kept: readonly { readonly id: number; readonly root: string; readonly attachment: Attachment }[] = [];
  let count = 0;

  /** The attachments of the folder that the agent works in now. */
  const current = () => kept.filter(({ root }) => root === desk.agent?.root);
  const list = () => current().map(({ id, attachment }) => shownAs(id, attachment));
  const show = () => outbox.send({ type: 'attached', attached: list() });

  /** The path of the file in the folder, by the agent's own rules. Asks before a file is attached that may contain keys. */
  async function pathOf(root: string, file: string): Promise<string | undefined> {
    const workspace = createWorkspace(root);
    const path = workspace.show(await workspace.locate(file));
    if (!(await isSensitive(workspace, file))) return path;
    const attach = 'Attach It';
    const question = `${path} is a configuration file or may contain keys. Its text would be sent to the model.`;
    return (await editor.notify('warning', question, attach)) === attach ? path : undefined;
  }

  async function add({ file, title, text, lines, isUnsaved }: Excerpt): Promise<void> {
    await desk.connect();
    const root = desk.agent?.root;
    if (root === undefined) return tell(desk.blocked ?? 'No folder is open.', 'warning');
    if (file === undefined)
      return tell(`${title} is not a file on this machine. If you want to attach it, save it first.`, 'warning');
    const path = await pathOf(root, file);
    if (path === undefined) return;
    const attachment = bounded({
      path,
      ...(lines === undefined ? {} : { lines }),
      text,
      ...(isUnsaved ? { unsaved: true } : {}),
    });
    const name = attachmentInWords(attachment);
    const others = current().filter((one) => attachmentInWords(one.attachment) !== name); // the later text replaces the earlier
    if (others.length >= most)
      return tell(`Not attached: a message can have ${most} attachments at most. Remove one first.`, 'warning');
    kept = [...others, { id: ++count, root, attachment }];
    show();
  }

  return {
    get list() {
      return list();
    },
    async add(excerpt) {
      try {
        await add(excerpt);
      } catch (cause) {
        if (!(cause instanceof OutsideWorkspace)) throw cause;
        tell(`Not attached: ${cause.message}`, 'warning');
      }
    },
    remove(id) {
      kept = kept.filter((one) => one.id !== id);
      show();
    },
    take() {
      const taken = current().map(({ attachment }) => attachment);
      kept = [];
      if (taken.length > 0) show();
      return taken;
    },
  };
}

function shownAs(id: number, { path, lines, cut, unsaved }: Attachment): Attached {
  const notes = [
    ...(unsaved === true ? ['not saved'] : []),
    ...(cut === undefined ? [] : [`the last ${grouped(cut)} characters are left out`]),
  ];
  return {
    id,
    path,
    ...(lines === undefined ? {} : { lines }),
    ...(notes.length === 0 ? {} : { note: notes.join(', ') }),
  };
}
