import {
  callAction,
  createSessions,
  guardBefore,
  type LoopError,
  type Session,
  type SessionOptions,
} from '@loopfuse/session';
import type { ProcessInputStepResult, Processor } from '@mastra/core/processors';
import type { RequireToolApprovalFn, ToolHooks } from '@mastra/core/tools';
import { type Finding, isHalt, type Json } from 'loopfuse';
import { type Message, promptEvents, resultEvents, stepEvents } from './translate.js';

/** The value of `result.tripwire.metadata` when the guard ends a run. */
export interface LoopTripwire {
  readonly findings: readonly Finding[];
}

export interface ProcessorOptions {
  /** Takes one step when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: ProcessInputStepResult['model'] | undefined;
  /**
   * Whether a question becomes Mastra's own approval of a call: the run is suspended until `approveToolCall` or
   * `declineToolCall`. Needs a Mastra instance with storage, and Mastra then runs the calls of a turn one
   * after the other. Without it, and without `onAsk`, a question ends the run with a tripwire.
   */
  readonly approves?: boolean | undefined;
}

export interface LoopProcessor {
  /** For both `inputProcessors` and `outputProcessors` of an agent. */
  readonly processor: Processor<'loopfuse', LoopTripwire>;
  /** For `hooks` of the agent: without them no call can be refused. */
  readonly hooks: ToolHooks;
  /** For `requireToolApproval` of a request, if questions become approvals. */
  readonly requireToolApproval: RequireToolApprovalFn;
}

type Abort = (reason?: string, options?: { retry?: boolean; metadata?: LoopTripwire }) => never;

/** The most calls that are kept until they run. */
const maxCalls = 1024;

/**
 * A processor and tool hooks for a Mastra agent. With options, every request to the agent is a separate session; with a
 * session, all of them are that session.
 */
export function loopProcessor(
  given: Session | SessionOptions = {},
  { escalateTo, approves = false }: ProcessorOptions = {},
): LoopProcessor {
  const fixed = 'guard' in given ? given : undefined;
  const sessions = createSessions(fixed ? {} : (given as SessionOptions));
  const callers = new Map<string, Session>();
  /** Calls about which the user must be asked; Mastra asks by tool and arguments, not by id. */
  const asked = new Map<string, Session>();
  /** Requests whose current answer goes in circles: the rest of the answer is not passed on. */
  const cut = new WeakSet<object>();
  /** Requests whose answer is requested again: their last message is ours, not a new request of the user. */
  const again = new WeakSet<object>();
  const sessionOf = (state: object) => fixed ?? sessions.get(state);

  function trip({ message, findings }: LoopError, abort: Abort): never {
    return abort(message, { metadata: { findings } });
  }

  const processor: LoopProcessor['processor'] = {
    id: 'loopfuse',
    async processInputStep({ state, steps }) {
      const session = sessionOf(state);
      // Reported here, where the model can still be chosen. The request has them too; they count once.
      for (const event of session.attempt('translate', () => resultEvents(steps.at(-1)), []))
        await session.settle(session.result(event));
      return escalateTo !== undefined && session.takeEscalation() ? { model: escalateTo } : undefined;
    },
    async processLLMRequest({ prompt, state, abort }) {
      const session = sessionOf(state);
      cut.delete(state);
      const isAgain = again.delete(state);
      const events = session.attempt('translate', () => promptEvents(prompt), []);
      await session.request(isAgain ? events.filter(({ type }) => type !== 'prompt') : events, prompt.length);
      const error = guardBefore(session, approves);
      if (error) trip(error, abort as Abort);
      session.startTurn();
      return { prompt: session.history(prompt, userMessage) };
    },
    async processOutputStream({ part, state, abort }) {
      const session = sessionOf(state);
      const text = part.type === 'text-delta' || part.type === 'reasoning-delta' ? part.payload.text : undefined;
      if (text === undefined) return part;
      if (cut.has(state)) return null;
      const type = part.type === 'text-delta' ? 'text' : 'reasoning';
      const isAsking = approves && session.question !== undefined;
      const decision = await session.settle(session.observe({ type, text }));
      if (isAsking && decision.type === 'ask') return part; // the user is asked with the next call
      if (isHalt(decision)) trip(session.end(decision), abort as Abort);
      if (session.output(decision) === 'go-on') return part;
      cut.add(state);
      return null;
    },
    async processOutputStep(step) {
      const session = sessionOf(step.state);
      const abort = step.abort as Abort;
      const events = session.attempt('translate', () => stepEvents(step), []);
      for (const event of events) if (event.type === 'tool-call') keepFew(callers, event.id, session);
      for (const event of events) {
        const isCall = event.type === 'tool-call';
        const isAsking = approves && (isCall || session.question !== undefined);
        const decision = isCall ? session.call(event) : session.observe(event);
        const settled = await session.settle(decision);
        if (isAsking && settled.type === 'ask') {
          if (isCall) keepFew(asked, keyOf(event.tool, event.input), session);
          continue;
        }
        // The calls of this answer run nevertheless, as the SDK does it: the hook refuses them.
        if (isHalt(settled)) trip(session.end(settled), abort);
      }
      session.observe({ type: 'turn-end' });
      // If there are calls, the message goes with the next request.
      if (cut.delete(step.state) && !step.toolCalls?.length) {
        again.add(step.state);
        abort('The answer was cut short: it went in circles.', { retry: true }); // the message goes with the request
      }
      return step.messageList;
    },
  };

  const hooks: ToolHooks = {
    async beforeToolCall({ toolName: tool, input, context }) {
      const id = callIdOf(context);
      const session = id === undefined ? undefined : callers.get(id);
      if (id === undefined || session === undefined) return undefined;
      callers.delete(id);
      const decision = await session.settle(session.call({ id, tool, input: input as Json }));
      const action = callAction(decision);
      if (action.type === 'run') return undefined;
      if (action.type === 'refuse' || !approves) return { proceed: false, output: action.text };
      asked.delete(keyOf(tool, input));
      if (session.question) session.release({ type: 'continue' }); // it runs, so the user has approved it
      return undefined;
    },
  };

  const requireToolApproval: RequireToolApprovalFn = ({ toolName, args }) =>
    asked.get(keyOf(toolName, args))?.question !== undefined;

  return { processor, hooks, requireToolApproval };
}

function keepFew(sessions: Map<string, Session>, key: string, session: Session): void {
  const [oldest] = sessions.keys();
  if (sessions.size >= maxCalls && oldest !== undefined) sessions.delete(oldest);
  sessions.set(key, session);
}

function keyOf(tool: string, input: unknown): string {
  return JSON.stringify([tool, input]);
}

function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function callIdOf(context: unknown): string | undefined {
  const { toolCallId, agent } = (context ?? {}) as { toolCallId?: unknown; agent?: { toolCallId?: unknown } };
  const id = toolCallId ?? agent?.toolCallId;
  return typeof id === 'string' ? id : undefined;
}
