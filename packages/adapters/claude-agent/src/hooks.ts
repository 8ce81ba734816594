import type {
  BaseHookInput,
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import { createSessions, handle, type Session, type SessionOptions } from '@loopfuse/session';
import { isHalt } from 'loopfuse';
import { onCall } from './apply.js';
import { callOf, resultsOf } from './translate.js';

type InputOf<Event extends HookEvent> = Extract<HookInput, { hook_event_name: Event }>;
type Answer = SyncHookJSONOutput;
type Handler<Event extends HookEvent> = (input: InputOf<Event>, session: Session) => Answer | Promise<Answer>;

/** The hooks of a guard, to spread into `options.hooks` of a query. */
export type LoopHooks = { [Event in HookEvent]?: HookCallbackMatcher[] };

/** The most failed calls that are kept until their batch ends. */
const maxFailures = 256;

/**
 * Hooks for `query({ options: { hooks } })`. With options, every session of the SDK that runs with them is guarded
 * separately; with a session, all of them are that session. Sub-agents are lanes.
 */
export function loopHooks(given: Session | SessionOptions = {}): LoopHooks {
  const fixed = 'guard' in given ? given : undefined;
  const sessions = createSessions('guard' in given ? {} : given);
  const failures = new Map<string, string>();

  function sessionOf({ session_id, agent_id }: BaseHookInput): Session {
    const session = fixed ?? sessions.get(session_id);
    return agent_id === undefined ? session : session.in(agent_id);
  }

  /** After a fault in our code the hook answers nothing, and the agent continues. */
  function hook<Event extends HookEvent>(handler: Handler<Event>): HookCallbackMatcher[] {
    const callback: HookCallback = async (input) => {
      const session = sessionOf(input);
      try {
        return await handler(input as InputOf<Event>, session);
      } catch (cause) {
        session.attempt(
          'hook',
          () => {
            throw cause;
          },
          undefined,
        );
        return {};
      }
    };
    return [{ hooks: [callback] }];
  }

  /** Ends a run that was stopped; otherwise passes the waiting messages on to the model. */
  function goOn(session: Session, hookEventName: 'PostToolBatch' | 'UserPromptSubmit'): Answer {
    if (session.error) return { continue: false, stopReason: session.error.message };
    const additionalContext = session.takeMessages().join('\n');
    return additionalContext === '' ? {} : { hookSpecificOutput: { hookEventName, additionalContext } };
  }

  return {
    UserPromptSubmit: hook<'UserPromptSubmit'>(({ prompt }, session) => {
      session.observe({ type: 'prompt', text: prompt });
      session.startTurn();
      return goOn(session, 'UserPromptSubmit');
    }),
    PreToolUse: hook<'PreToolUse'>(async (input, session) => {
      const { permission, ...rest } = handle(onCall, await session.settle(session.call(callOf(input))));
      if (permission === undefined) return rest;
      return {
        ...rest,
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: permission.decision,
          permissionDecisionReason: permission.reason,
        },
      };
    }),
    PostToolUseFailure: hook<'PostToolUseFailure'>(({ tool_use_id, error }) => {
      const [oldest] = failures.keys();
      if (failures.size >= maxFailures && oldest !== undefined) failures.delete(oldest);
      failures.set(tool_use_id, error);
      return {};
    }),
    PostToolUse: hook<'PostToolUse'>(({ tool_use_id: id, tool_name: tool, tool_input }, session) => {
      // The call has run, so the user has approved it.
      const decision = session.call({ id, tool, input: tool_input as never });
      if (decision.type === 'ask' && session.guard.circuit.state === 'open') session.release({ type: 'continue' });
      return {};
    }),
    PostToolBatch: hook<'PostToolBatch'>(async (input, session) => {
      for (const result of resultsOf(input, failures)) {
        failures.delete(result.id);
        await session.settle(session.result(result));
      }
      session.startTurn();
      return goOn(session, 'PostToolBatch');
    }),
    Stop: hook<'Stop'>(({ last_assistant_message }, session) => lastWords(last_assistant_message, session)),
    SubagentStop: hook<'SubagentStop'>(({ last_assistant_message }, session) =>
      lastWords(last_assistant_message, session),
    ),
    PreCompact: hook<'PreCompact'>((_, session) => {
      session.observe({ type: 'compaction' });
      return {};
    }),
  };
}

/** The text of an answer without calls is only seen as a whole: if it goes in circles, the model is asked again. */
async function lastWords(text: string | undefined, session: Session): Promise<Answer> {
  if (text === undefined || text === '') return {};
  const decision = await session.settle(session.observe({ type: 'text', text }));
  session.observe({ type: 'turn-end' });
  if (isHalt(decision)) {
    session.end(decision);
    return {};
  }
  if (session.output(decision) !== 'again' && !session.waiting) return {};
  session.startTurn();
  return { decision: 'block', reason: session.takeMessages().join('\n') };
}
