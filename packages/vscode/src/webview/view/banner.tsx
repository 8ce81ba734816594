import type { VNode } from 'preact';
import { useServices } from '../host.js';
import type { ViewState } from '../state/view-state.js';
import { Icon } from './icon.js';

/** A problem, or an interrupted request, above the composer, with buttons that do something about it. */
export function Banner({ state: { facts, cut, conversation } }: { readonly state: ViewState }): VNode | null {
  if (facts === undefined) return null;
  const { blocked, trusted, remedies = [] } = facts;
  if (blocked !== undefined || !trusted)
    return (
      <Strip
        tone="warning"
        text={blocked ?? 'This folder is not trusted, so no tool runs in it.'}
        testId={trusted ? 'blocked' : 'untrusted'}
      >
        {remedies.map(({ label, command }, k) => (
          <Command key={command} command={command} label={label} primary={k === 0} />
        ))}
      </Strip>
    );
  if (cut && conversation.phase === 'idle') return <Cut />;
  return null;
}

function Cut(): VNode {
  const { host } = useServices();
  return (
    <Strip tone="plain" text="The last request was interrupted." testId="cut">
      <button type="button" class="primary" data-testid="continue-cut" onClick={() => host.post({ type: 'continue' })}>
        Continue it
      </button>
    </Strip>
  );
}

interface StripProps {
  readonly tone: 'plain' | 'warning';
  readonly text: string;
  readonly testId: string;
  readonly children: VNode | VNode[];
}

function Strip({ tone, text, testId, children }: StripProps): VNode {
  return (
    <section class="banner" data-tone={tone} data-testid={`banner-${testId}`}>
      <p>
        <Icon name={tone === 'warning' ? 'warning' : 'history'} />
        <span>{text}</span>
      </p>
      <div class="answers">{children}</div>
    </section>
  );
}

function Command({
  command,
  label,
  primary = false,
}: {
  readonly command: string;
  readonly label: string;
  readonly primary?: boolean;
}): VNode {
  const { host } = useServices();
  return (
    <button
      type="button"
      class={primary ? 'primary' : 'secondary'}
      data-command={command}
      onClick={() => host.post({ type: 'command', command })}
    >
      {label}
    </button>
  );
}
