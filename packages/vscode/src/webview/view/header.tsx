import type { VNode } from 'preact';
import { useHands } from '../host.js';
import { Icon } from './icon.js';

interface Props {
  readonly listed: boolean;
  readonly onList: () => void;
}

export function Header({ listed, onList }: Props): VNode {
  const { host } = useHands();
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
      <button
        type="button"
        class="quiet"
        data-testid="new-chat"
        title="New chat"
        onClick={() => host.post({ type: 'new-chat' })}
      >
        <Icon name="add" /> New chat
      </button>
    </header>
  );
}
