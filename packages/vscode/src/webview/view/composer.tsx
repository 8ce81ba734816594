import { openLoop } from '@loopfuse/conversation';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useServices } from '../host.js';
import type { ViewState } from '../state/view-state.js';
import { Attachments } from './attachments.js';
import { composerId } from './focus.js';
import { Icon } from './icon.js';

/** The input for messages. Enter sends, Shift+Enter inserts a line break, Up recalls earlier messages. */
export function Composer({ state }: { readonly state: ViewState }): VNode {
  const { host, show } = useServices();
  const { facts, compose, conversation, attached } = state;
  const { phase, sent } = conversation;
  const [text, setText] = useState(host.draft);
  const [recalled, setRecalled] = useState(0); // the number of messages back
  const area = useRef<HTMLTextAreaElement>(null);
  const asked = openLoop(conversation)?.state === 'asked';
  const canSend = phase === 'idle' && text.trim() !== '' && facts !== undefined && facts.blocked === undefined;

  function change(next: string, back = 0): void {
    setText(next);
    setRecalled(back);
    host.draft = next;
  }

  useEffect(() => {
    if (compose.times === 0) return;
    const given = compose.text ?? '';
    if (given !== '') change(text.trim() === '' ? given : `${text}\n${given}`);
    area.current?.focus();
  }, [compose.times]);

  function send(): void {
    if (!canSend) return;
    // A new message stops the loop that is waiting for a decision.
    if (asked) {
      host.post({ type: 'answer-loop', choice: 'stop' });
      show({ type: 'loop-choice', choice: 'stop' });
    }
    host.post({ type: 'send', text: text.trim() });
    change('');
    area.current?.focus();
  }

  function stop(): void {
    host.post({ type: 'stop' });
    show({ type: 'stopping' });
    area.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') recall(event);
  }

  function recall(event: KeyboardEvent): void {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    if (text !== (recalled === 0 ? '' : sent.at(-recalled))) return;
    const back = recalled + (event.key === 'ArrowUp' ? 1 : -1);
    if (back < 0 || back > sent.length) return;
    event.preventDefault();
    change(back === 0 ? '' : sent.at(-back)!, back);
  }

  return (
    <div class="composer">
      <Attachments attached={attached} />
      <textarea
        id={composerId}
        data-testid="composer"
        ref={area}
        rows={1}
        value={text}
        aria-label="Your message"
        placeholder={asked ? 'Choose above, or say what comes next' : 'Ask for something'}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="row">
        <button
          type="button"
          class="quiet attach"
          data-testid="attach"
          title="Attach the selection, or the file that is open in the editor"
          aria-label="Attach the selection, or the open file"
          onClick={() => host.post({ type: 'attach' })}
        >
          <Icon name="clip" />
        </button>
        <span class="hint" role="status">
          {phase === 'stopping' ? 'Stopping' : phase === 'working' ? 'Working. Esc stops.' : ''}
        </span>
        {phase === 'idle' ? (
          <button
            type="button"
            class="round"
            data-testid="send"
            title="Send (Enter)"
            aria-label="Send"
            disabled={!canSend}
            onClick={send}
          >
            <Icon name="arrow" />
          </button>
        ) : (
          <button
            type="button"
            class="round stop"
            data-testid="stop"
            title="Stop (Esc)"
            aria-label="Stop"
            disabled={phase === 'stopping'}
            onClick={stop}
          >
            <span class="square" aria-hidden="true" />
          </button>
        )}
      </div>
    </div>
  );
}
