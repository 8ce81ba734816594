import type { VNode } from 'preact';
import { useServices } from '../host.js';
import { focusComposer } from './focus.js';
import { Icon } from './icon.js';

/** The button below the user's last message that removes its answer and sends it again. */
export function RetryButton(): VNode {
  const { host } = useServices();

  function retry(): void {
    focusComposer(); // the button disappears
    host.post({ type: 'retry' });
  }

  return (
    <div class="retry">
      <button
        type="button"
        class="quiet"
        data-testid="retry"
        title="Take the answer back and send this message again. Files stay as they are, unless you undo the edits."
        onClick={retry}
      >
        <Icon name="retry" /> Retry
      </button>
    </div>
  );
}
