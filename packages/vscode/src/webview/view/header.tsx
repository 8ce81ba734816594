import type { VNode } from 'preact';
import { Icon } from './icon.js';

interface Props {
  readonly listed: boolean;
  readonly onList: () => void;
  readonly onNew: () => void;
}

export function Header({ listed, onList, onNew }: Props): VNode {
  return (
    <header>
      <button
        type="button"
        class="quiet"
        data-testid="sessions-button"
        id="sessions-button"
        aria-expanded={listed}
        aria-haspopup="dialog"
        onClick={onList}
      >
        <Icon name="history" /> Sessions
      </button>
      <button type="button" class="quiet" data-testid="new-chat" title="New chat" onClick={onNew}>
        <Icon name="add" /> New chat
      </button>
    </header>
  );
}
