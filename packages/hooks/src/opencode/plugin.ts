import type { AgentEvent, Json, PolicyName } from 'loopfuse';
import { hooksFolder } from '../home.js';
import { log } from '../log.js';
import { fieldsOf, textOf } from '../protocol/fields.js';
import type { Environment, HookCall, Measure, Moment } from '../protocol/protocol.js';
import { guarded } from '../run-hook.js';

/** What opencode passes to a plugin, as far as it is used here. */
export interface PluginInput {
  readonly client?: {
    readonly session?: { abort?(request: { path: { id: string } }): Promise<unknown> };
    readonly tui?: { showToast?(request: { body: { message: string; variant: 'warning' } }): Promise<unknown> };
  };
}

/** What opencode calls. Throwing in `tool.execute.before` refuses the call, with the message as its result. */
export interface PluginHooks {
  event(input: { readonly event: Json }): Promise<void>;
  'chat.message'(input: Json, output: Json): Promise<void>;
  'tool.execute.before'(input: Json, output: Json): Promise<void>;
  'tool.execute.after'(input: Json, output: { output?: unknown }): Promise<void>;
}

/** What only this process knows of a session, and the state file does not. */
interface Live {
  /** Text and reasoning that came since the last step. */
  streamed: AgentEvent[];
  characters: number;
  /** The type of each part of a message: opencode names it when the part begins, not with its pieces. */
  readonly kinds: Map<string, 'text' | 'reasoning'>;
  /** A message that refuses the next call, because there was no result to which it could be added. */
  owed: string | undefined;
  /** Calls that we refused: opencode reports them as failed, with our own message. */
  readonly ours: Set<string>;
}

const protocol = { name: 'opencode', asks: false };
/** A step is taken after this many characters of text, so that a chanting model is stopped while it chants. */
const stepCharacters = 4_000;
const mostLive = 100;

/** The plugin: the same guard and state files as the command, inside opencode. It throws only to refuse a call. */
export function createPlugin(policy: PolicyName, env: Environment = process.env) {
  return async ({ client }: PluginInput): Promise<PluginHooks | Record<string, never>> => {
    if (env.LOOPFUSE_HOOK === 'off') return {};
    const folder = hooksFolder(env);
    const sessions = new Map<string, Live>();

    function liveOf(session: string): Live {
      let live = sessions.get(session);
      if (live === undefined) {
        live = { streamed: [], characters: 0, kinds: new Map(), owed: undefined, ours: new Set() };
        sessions.set(session, live);
        const [oldest] = sessions.keys();
        if (sessions.size > mostLive && oldest !== undefined) sessions.delete(oldest);
      }
      return live;
    }

    function take(session: string, moment: Moment): Measure | undefined {
      const live = liveOf(session);
      const { streamed } = live;
      live.streamed = [];
      live.characters = 0;
      return guarded(protocol, { session, moment, streamed }, policy, folder).measure;
    }

    /** Whether no other copy of this plugin (one for the user, one for the project) has received the same object. */
    function isFirst(hook: keyof PluginHooks, received: unknown): boolean {
      if (typeof received !== 'object' || received === null) return true;
      const seen = receivedBy(hook);
      if (seen.has(received)) return false;
      seen.add(received);
      return true;
    }

    async function end(session: string, text: string): Promise<void> {
      await client?.tui?.showToast?.({ body: { message: text, variant: 'warning' } })?.catch?.(() => {});
      await client?.session?.abort?.({ path: { id: session } });
    }

    /** Why a call must not run; undefined if it may. */
    async function textAgainst(session: string, call: HookCall): Promise<string | undefined> {
      const measure = take(session, { type: 'call', call });
      if (measure?.type === 'end') await end(session, measure.text);
      return measure?.text;
    }

    /** Our own faults go to the log, and opencode goes on. */
    async function safely<Value>(work: () => Promise<Value> | Value): Promise<Value | undefined> {
      try {
        return await work();
      } catch (cause) {
        log(folder, `opencode: ${cause instanceof Error ? cause.message : String(cause)}`);
        return undefined;
      }
    }

    async function onPart(session: string, part: { readonly [key: string]: Json | undefined }): Promise<void> {
      const live = liveOf(session);
      const id = textOf(part.id) ?? '';
      if (part.type === 'text' || part.type === 'reasoning') {
        live.kinds.set(id, part.type);
        if (live.kinds.size > 200) live.kinds.delete(live.kinds.keys().next().value!);
        return;
      }
      const state = fieldsOf(part.state);
      const tool = textOf(part.tool);
      const callID = textOf(part.callID);
      if (part.type !== 'tool' || state.status !== 'error' || tool === undefined || callID === undefined) return;
      if (live.ours.delete(callID)) return;
      const call: HookCall = { id: callID, tool, input: state.input ?? {} };
      const measure = take(session, { type: 'result', call, output: state.error ?? '', failed: true });
      if (measure?.type === 'tell') live.owed = measure.text;
      else if (measure?.type === 'end') await end(session, measure.text);
    }

    async function onDelta(session: string, part: string, delta: string): Promise<void> {
      const live = liveOf(session);
      const type = live.kinds.get(part);
      if (type === undefined) return;
      live.streamed.push({ type, text: delta });
      live.characters += delta.length;
      if (live.characters < stepCharacters) return;
      const measure = take(session, { type: 'resume' });
      if (measure?.type === 'end') await end(session, measure.text);
    }

    return {
      event: ({ event }) =>
        safely(async () => {
          if (!isFirst('event', event)) return;
          const { type, properties } = fieldsOf(event);
          const { sessionID, part, partID, field, delta } = fieldsOf(properties);
          const session = textOf(sessionID);
          if (session === undefined) return;
          if (type === 'message.part.updated') await onPart(session, fieldsOf(part));
          else if (type === 'message.part.delta' && field === 'text' && typeof partID === 'string')
            await onDelta(session, partID, textOf(delta) ?? '');
          else if (type === 'session.deleted') sessions.delete(session);
        }),
      'chat.message': (input, output) =>
        safely(() => {
          const session = textOf(fieldsOf(input).sessionID);
          if (session === undefined || !isFirst('chat.message', input)) return;
          sessions.delete(session);
          const { parts } = fieldsOf(output);
          const texts = Array.isArray(parts) ? parts.map((part) => textOf(fieldsOf(part).text) ?? '') : [];
          take(session, { type: 'prompt', text: texts.join('\n') });
        }),
      async 'tool.execute.before'(input, output) {
        const refusal = await safely(async () => {
          const { session, call } = callOf(input, fieldsOf(output).args);
          if (session === undefined || call === undefined || !isFirst('tool.execute.before', input)) return undefined;
          const live = liveOf(session);
          const text = live.owed ?? (await textAgainst(session, call));
          live.owed = undefined;
          if (text !== undefined) live.ours.add(call.id!);
          return text;
        });
        if (refusal !== undefined) throw new Error(refusal);
      },
      'tool.execute.after': (input, output) =>
        safely(async () => {
          const { session, call } = callOf(input, fieldsOf(input).args);
          if (session === undefined || call === undefined || !isFirst('tool.execute.after', input)) return;
          const answer = typeof output?.output === 'string' ? output.output : '';
          const measure = take(session, { type: 'result', call, output: answer });
          if (measure?.type === 'tell' && typeof output?.output === 'string')
            output.output = `${answer}\n\n${measure.text}`;
          else if (measure?.type === 'end') await end(session, measure.text);
        }),
    };
  };
}

const receivedKey = Symbol.for('loopfuse.opencode.received');

/** What the copies of this plugin in one process received, by hook. */
function receivedBy(hook: keyof PluginHooks): WeakSet<object> {
  const shared = globalThis as { [receivedKey]?: Map<string, WeakSet<object>> };
  shared[receivedKey] ??= new Map();
  const known = shared[receivedKey].get(hook) ?? new WeakSet<object>();
  shared[receivedKey].set(hook, known);
  return known;
}

function callOf(input: Json, args: Json | undefined): { session: string | undefined; call: HookCall | undefined } {
  const { sessionID, callID, tool } = fieldsOf(input);
  const id = textOf(callID);
  const name = textOf(tool);
  const call = id === undefined || name === undefined ? undefined : { id, tool: name, input: args ?? {} };
  return { session: textOf(sessionID), call };
}
