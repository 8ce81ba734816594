import type { ApprovalMode } from '@loopfuse/agent';
import { type Conversation, costOf, guardStateWords } from '@loopfuse/conversation';
import { counted, dollars, grouped, short } from 'loopfuse/words';
import type { VNode } from 'preact';
import type { Facts } from '../../protocol/index.js';
import { useServices } from '../host.js';
import { Icon } from './icon.js';

interface StatusProps {
  readonly facts: Facts;
  readonly conversation: Conversation;
}

/** Model, approval, guard, tokens, cost. */
export function StatusLine({ facts, conversation }: StatusProps): VNode {
  const { host } = useServices();
  const { model, provider, approval } = facts;
  const { guard, judge } = conversation;
  return (
    <footer data-testid="status-line">
      <button
        type="button"
        class="quiet guard-state"
        data-testid="guard-state"
        data-state={guard}
        title={guardStateWords[guard]}
        aria-label={`Loop guard: ${guard}. ${guardStateWords[guard]}`}
        onClick={() => host.post({ type: 'command', command: 'loopfuse.showLoop' })}
      >
        <Icon name={guard === 'halted' ? 'bolt' : 'shield'} /> {guard}
      </button>
      <label class="approval-mode" title={`Approval: ${modes[approval].about}`}>
        <span class="for-screen-readers">Which changes need approval</span>
        <select
          data-testid="approval-mode"
          data-mode={approval}
          value={approval}
          onChange={(event) => host.post({ type: 'set-approval', mode: event.currentTarget.value as ApprovalMode })}
        >
          {(Object.keys(modes) as ApprovalMode[]).map((mode) => (
            <option key={mode} value={mode} title={modes[mode].about}>
              {modes[mode].label}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="quiet model"
        data-testid="model"
        title={model === '' ? 'Choose a model' : `${model} of ${provider}: choose another`}
        aria-label={model === '' ? 'Choose a model' : `Model: ${model} of ${provider}. Choose another.`}
        onClick={() => host.post({ type: 'command', command: 'loopfuse.chooseModel' })}
      >
        <span class="name">{model === '' ? 'choose a model' : model}</span>
      </button>
      <Spending conversation={conversation} />
      {judge !== undefined && judge.calls > 0 && (
        <span title={`The second opinion: ${grouped(judge.inputTokens + judge.outputTokens)} tokens`}>
          judge {counted(judge.calls, 'call')}
        </span>
      )}
    </footer>
  );
}

function Spending({ conversation }: Pick<StatusProps, 'conversation'>): VNode | null {
  const cost = costOf(conversation);
  const { inputTokens, outputTokens, cachedTokens } = conversation.usage;
  if (inputTokens + outputTokens === 0) return null;
  const exact = `${grouped(inputTokens)} tokens in (${grouped(cachedTokens)} of them cached), ${grouped(outputTokens)} out`;
  return (
    <>
      <span class="tokens" data-testid="tokens" title={exact}>
        {short(inputTokens)} in, {short(outputTokens)} out
      </span>
      <span
        class="cost"
        data-testid="cost"
        title={cost === undefined ? 'Set loopfuse.prices to see what it costs.' : exact}
      >
        {cost === undefined ? 'price not known' : `≈ ${dollars(cost)}`}
      </span>
    </>
  );
}

const modes: { readonly [Mode in ApprovalMode]: { readonly label: string; readonly about: string } } = {
  ask: { label: 'Ask', about: 'every change and command needs your approval' },
  'auto-edit': { label: 'Auto-edit', about: 'edits run, commands need your approval' },
  yolo: { label: 'Run all', about: 'everything runs without asking' },
};
