import { askModel, type Message, type RecordedRequest, startModelServer } from '@loopfuse/model-server';
import { guardTurn, type Handlers, handle, LoopError, openSession, type Session, said } from '@loopfuse/session';
import type { AgentEvent, LoopKind } from 'loopfuse';
import type { AdapterDriver, Run } from './driver.js';
import type { Scene } from './scenes.js';
import { type Execution, schemaOf, workspaceTools } from './tools.js';

/** The outcome of a run, which must be the same for every SDK. */
export interface Outcome {
  readonly requests: number;
  readonly executions: readonly Execution[];
  /** The kinds of loop in the error that ended the run; empty if it was not stopped. */
  readonly stoppedBy: readonly LoopKind[];
  /** The last text of the agent, if it was not stopped. */
  readonly text: string;
}

type Refusal = { readonly run: true } | { readonly run: false; readonly result: string };

const onCall: Handlers<Refusal> = {
  allow: () => ({ run: true }),
  steer: () => ({ run: true }),
  escalate: () => ({ run: true }),
  block: ({ message }) => ({ run: false, result: said(message) }),
  rewind: ({ note }) => ({ run: false, result: said(note) }),
  ask: ({ question }) => ({ run: false, result: question.message }),
  stop: ({ reason }) => ({ run: false, result: reason }),
};

/**
 * An agent without an SDK: ask the model, run its calls, repeat. It uses the protocol directly and applies every
 * decision exactly, so that SDKs can be compared with it.
 */
export const plainAgent: AdapterDriver = {
  name: 'an agent without an SDK',
  protocol: 'openai-chat',
  cannot: { approve: 'only onAsk can answer' },
  async run({ url, prompt, tools, stream, session, signal, model, stronger }) {
    const messages: Message[] = [message('user', { text: prompt })];
    session.observe({ type: 'prompt', text: prompt });
    for (;;) {
      let text = '';
      let calls: Message['calls'] = [];
      const turn = guardTurn<{ readonly text: string } | { readonly calls: Message['calls'] }>(session, {
        approves: false,
        async ask() {
          const offered = tools.map((tool) => ({
            name: tool.name,
            description: tool.description,
            parameters: schemaOf(tool),
          }));
          const chosen = session.takeEscalation() ? stronger : model;
          const asked = session.history(messages, (said) => message('user', { text: said }));
          const received = await askModel({
            url,
            protocol: 'openai-chat',
            stream,
            messages: asked,
            tools: offered,
            signal,
            model: chosen,
          } as never);
          if (received.broken) throw received.broken;
          return [{ text: received.text }, { calls: received.calls }];
        },
        read: (part): readonly AgentEvent[] =>
          'text' in part
            ? [{ type: 'text', text: part.text }]
            : part.calls.map((call) => ({ type: 'tool-call', ...call })),
      });
      for await (const step of turn) {
        if (step.type === 'end') return finish(session, text);
        if (step.type === 'again') text = '';
        else if ('text' in step.part) text = step.part.text;
        else calls = step.part.calls;
      }
      messages.push(message('assistant', { text, calls }));
      if (calls.length === 0) return text;
      const results = [];
      for (const { id, tool, input } of calls) {
        const refusal = handle(onCall, await session.settle(session.call({ id, tool, input })));
        const output = refusal.run
          ? tools.find(({ name }) => name === tool)!.execute(input as Record<string, string>)
          : refusal.result;
        results.push({ id, tool, text: output });
      }
      messages.push(...results.map((result) => message('tool', { results: [result] })));
      for (const { id, text: output } of results) await session.settle(session.result({ id, output }));
      if (session.error) return finish(session, text);
    }
  },
};

function finish({ error, exitBehavior }: Session, text: string): string {
  if (exitBehavior === 'error' && error) throw error;
  return text;
}

function message(role: Message['role'], more: Partial<Message>): Message {
  return { role, text: '', reasoning: '', calls: [], results: [], ...more };
}

/** The name by which it is distinguished from the model of a run. */
export const strongerModel = 'stronger-model';

/** Plays a scene with an adapter against a scripted server of its own. */
export async function play(
  driver: AdapterDriver,
  scene: Scene,
  { stream, session = openSession(), signal, approve = () => true }: PlayOptions,
): Promise<Played> {
  const server = await startModelServer({ script: scene.script });
  const { tools, executions } = workspaceTools();
  const run: Run = {
    url: server.url,
    model: 'scripted-model',
    prompt: 'Find out what main does.',
    tools,
    stream,
    session,
    signal: signal ?? new AbortController().signal,
    stronger: strongerModel,
    approve: (question) => approve(question, executions.length),
  };
  let text = '';
  let thrown: unknown;
  try {
    text = await driver.run(run);
  } catch (cause) {
    thrown = cause;
  } finally {
    await server.close();
  }
  // Some SDKs request titles, without tools.
  const requests = server.requests.filter(({ turn, problem }) => problem !== undefined || turn?.tools.length);
  const error = session.error ?? LoopError.in(thrown);
  const stoppedBy = [...new Set(error?.findings.map(({ kind }) => kind))];
  return { outcome: { requests: requests.length, executions, stoppedBy, text: error ? '' : text }, requests, thrown };
}

export interface PlayOptions {
  readonly stream: boolean;
  readonly session?: Session;
  readonly signal?: AbortSignal;
  /** The user's answer to a question; `executed` is the number of calls that had run. */
  readonly approve?: (question: string, executed: number) => boolean;
}

export interface Played {
  readonly outcome: Outcome;
  readonly requests: readonly RecordedRequest[];
  readonly thrown: unknown;
}
