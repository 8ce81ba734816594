import type { AttachmentName } from '@loopfuse/agent';
import { attachmentInWords } from '@loopfuse/conversation';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Attached } from '../../protocol/index.js';
import { useServices } from '../host.js';
import { exactText } from '../words/visible-text.js';
import { focusComposer } from './focus.js';
import { Icon } from './icon.js';

/** The attachments of the next message. Each can be opened, and removed by its button, Delete or Backspace. */
export function Attachments({ attached }: { readonly attached: readonly Attached[] }): VNode | null {
  const { host } = useServices();
  const list = useRef<HTMLUListElement>(null);
  if (attached.length === 0) return null;

  /** The focus moves to another attachment, so that it can be removed as well. */
  function remove(id: number, at: number): void {
    const others = [...(list.current?.querySelectorAll<HTMLElement>('.remove') ?? [])].filter((_, k) => k !== at);
    const next = others[Math.min(at, others.length - 1)];
    if (next === undefined) focusComposer();
    else next.focus();
    host.post({ type: 'detach', id });
  }

  function onKeyDown(event: KeyboardEvent, id: number, at: number): void {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    remove(id, at);
  }

  return (
    <ul class="attachments" aria-label="Attached to your message" data-testid="attachments" ref={list}>
      {attached.map((one, at) => (
        <li class="chip" key={one.id} data-testid="attachment" onKeyDown={(event) => onKeyDown(event, one.id, at)}>
          <Name name={one} note={one.note} />
          <button
            type="button"
            class="remove"
            aria-label={`Remove ${exactText(attachmentInWords(one))}`}
            title="Remove"
            onClick={() => remove(one.id, at)}
          >
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The attachments of a sent message. */
export function SentAttachments({ attached }: { readonly attached: readonly AttachmentName[] }): VNode {
  return (
    <ul class="attachments" aria-label="Attached">
      {attached.map((one) => (
        <li class="chip" key={attachmentInWords(one)} data-testid="sent-attachment">
          <Name name={one} note={undefined} />
        </li>
      ))}
    </ul>
  );
}

function Name({ name, note }: { readonly name: AttachmentName; readonly note: string | undefined }): VNode {
  const { host } = useServices();
  const words = exactText(attachmentInWords(name));
  const about = note === undefined ? `Open ${words}` : `Open ${words} (${note})`;
  const path = name.lines === undefined ? name.path : `${name.path}:${name.lines[0]}`;
  return (
    <button
      type="button"
      class="name"
      title={about}
      aria-label={about}
      onClick={() => host.post({ type: 'open-file', path })}
    >
      <Icon name="clip" />
      <span class="words">
        <span class="folder">{words.slice(0, words.lastIndexOf('/') + 1)}</span>
        <span>{words.slice(words.lastIndexOf('/') + 1)}</span>
      </span>
      {note !== undefined && <span class="note-words">{note}</span>}
    </button>
  );
}
