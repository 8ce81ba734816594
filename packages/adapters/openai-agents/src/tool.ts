import { callAction, type Session } from '@loopfuse/session';
import {
  defineToolInputGuardrail,
  type FunctionTool,
  type Tool,
  type ToolInputGuardrailDefinition,
} from '@openai/agents';
import type { Json } from 'loopfuse';
import { parsed } from './translate.js';

/** A guardrail for the tools of an agent: refuses the calls that the guard refuses, with the reason as their result. */
export function loopGuardrail(session: Session): ToolInputGuardrailDefinition<unknown> {
  return defineToolInputGuardrail<unknown>({
    name: 'loopfuse',
    async run({ toolCall: { callId, name, arguments: input } }) {
      const decision = await session.settle(session.call({ id: callId, tool: name, input: parsed(input) }));
      if (decision.type === 'ask') session.release({ type: 'continue' }); // it runs, so the user has approved it
      const outputInfo = decision.type === 'allow' ? undefined : { findings: decision.findings };
      const action = callAction(decision);
      if (action.type === 'refuse') return { behavior: { type: 'rejectContent', message: action.text }, outputInfo };
      return { behavior: { type: 'allow' }, outputInfo };
    },
  });
}

/** A tool with the guardrail, which needs approval if the guard asks the user. Hosted tools are not changed. */
export function guardedTool<Context>(tool: Tool<Context>, session: Session): Tool<Context> {
  if (tool.type !== 'function') return tool;
  const own = tool.needsApproval;
  const guarded: FunctionTool<Context, never> = {
    ...(tool as FunctionTool<Context, never>),
    inputGuardrails: [...(tool.inputGuardrails ?? []), loopGuardrail(session)],
    async needsApproval(context, input, id) {
      if (id !== undefined) {
        const call = { id, tool: tool.name, input: input as Json };
        if ((await session.settle(session.call(call))).type === 'ask') return true;
      }
      return own(context, input as never, id);
    },
  };
  return guarded as unknown as Tool<Context>;
}
