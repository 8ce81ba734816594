import type { Json } from 'loopfuse';
import type { Recorder, SessionFacts } from '../format.js';
import { contentOf } from '../translating/content.js';
import { isObject, num, type Obj, obj, str, timeOf } from '../translating/json.js';
import { createTranscript, type Result, type Transcript } from '../translating/transcript.js';

/** Writes opencode's sessions, from any source of messages and parts; sessions may be interleaved. */
export interface Sessions {
  session(id: string, info: Obj): void;
  /** A message's header. */
  message(info: Obj, of: { readonly sessionId: string; readonly id: string }): void;
  /** A part of a message whose header came before it; `at` is for stores that keep the time outside of the part. */
  part(data: Obj, of: { readonly messageId: string; readonly at?: number | undefined }): void;
  end(): void;
}

interface Message {
  readonly id: string;
  readonly sessionId: string;
  readonly role: string;
  readonly at: number | undefined;
  /** The answer is a summary of the conversation, so its text is nothing new. */
  readonly summary: boolean;
  readonly aborted: boolean;
  readonly tokens: Obj | undefined;
  readonly cost: number | undefined;
  readonly model: string | undefined;
  counted: boolean;
  /**
   * Results of the calls that the model made together. The log has each with its call; they are written after all
   * calls.
   */
  results: Result[];
  /** An answer of older versions has many steps. */
  steps: number;
}

export function createSessions(recorder: Recorder): Sessions {
  const transcripts = new Map<string, Transcript>();
  const messages = new Map<string, Message>();
  /** The message whose parts are being written, by session. */
  const current = new Map<string, Message>();

  function transcriptOf(id: string, facts?: SessionFacts): Transcript {
    const session = recorder.open(id, { agent: 'opencode', ...facts });
    let transcript = transcripts.get(id);
    if (transcript === undefined) {
      transcript = createTranscript(recorder, session);
      transcripts.set(id, transcript);
    }
    return transcript;
  }

  /** All parts of a message were read. */
  function leave(message: Message, to: Transcript): void {
    finishCalls(message, to);
    if (!message.counted && message.tokens !== undefined) usage(message, message.tokens, message.cost, to, message.at);
    message.counted = true;
    if (message.aborted) to.interrupt(message.at);
  }

  function finishCalls(message: Message, to: Transcript): void {
    if (message.results.length === 0) return;
    for (const result of message.results) to.result(result);
    message.results = [];
    message.steps++;
  }

  function usage(
    { model }: Message,
    tokens: Obj,
    cost: number | undefined,
    to: Transcript,
    at: number | undefined,
  ): void {
    const cache = obj(tokens.cache);
    const cached = num(cache.read);
    const written = num(cache.write);
    const input = (num(tokens.input) ?? 0) + (cached ?? 0) + (written ?? 0);
    const output = (num(tokens.output) ?? 0) + (num(tokens.reasoning) ?? 0);
    to.usage({ input, output, cached, written, cost, model }, at);
  }

  function tool(data: Obj, message: Message, to: Transcript, at: number | undefined): void {
    const id = str(data.callID);
    const state = obj(data.state);
    const time = obj(state.time);
    to.call(id, str(data.tool) ?? 'unknown', state.input ?? {}, timeOf(time.start) ?? at);
    const { status } = state;
    if (status === 'pending' || status === 'running') return;
    const exit = num(obj(state.metadata).exit);
    const failed = status === 'error' || (exit !== undefined && exit !== 0);
    const output = contentOf(state.output ?? state.error);
    message.results.push({ id, output, failed, at: timeOf(time.end) ?? at });
  }

  return {
    session(id, info) {
      transcriptOf(id, {
        title: str(info.title),
        project: str(info.directory),
        version: str(info.version),
        parent: str(info.parentID) ?? str(info.parent_id),
      });
    },
    message(info, { sessionId, id }) {
      messages.set(id, {
        id,
        sessionId,
        role: str(info.role) ?? '',
        at: timeOf(obj(info.time).created),
        summary: info.summary === true,
        aborted: obj(info.error).name === 'MessageAbortedError',
        tokens: isObject(info.tokens) ? obj(info.tokens) : undefined,
        cost: num(info.cost),
        model: modelOf(info),
        counted: info.role !== 'assistant',
        results: [],
        steps: 0,
      });
      if (info.role === 'assistant')
        transcriptOf(sessionId, {
          model: modelOf(info),
          project: str(obj(info.path).cwd),
        });
    },
    part(data, { messageId, at: createdAt }) {
      const message = messages.get(messageId);
      if (message === undefined) {
        recorder.skip('part of an unknown message');
        return;
      }
      const to = transcriptOf(message.sessionId);
      const before = current.get(message.sessionId);
      if (before !== message) {
        if (before) leave(before, to);
        current.set(message.sessionId, message);
      }
      const at = timeOf(obj(data.time).start) ?? createdAt ?? message.at;
      const text = str(data.text) ?? '';
      if (data.type === 'compaction') to.compaction(at);
      else if (message.role === 'user') {
        if (data.type === 'text' && data.synthetic !== true && data.ignored !== true && text !== '')
          to.prompt(text, at);
        else recorder.skip(`user: ${String(data.type)}`);
      } else if (message.summary) recorder.skip('summary');
      else {
        if (data.type !== 'tool') finishCalls(message, to);
        if (isAnswer(data)) to.turn(`${message.id} ${message.steps}`, at);
        if (data.type === 'text') to.text(text, at);
        else if (data.type === 'reasoning') to.reasoning(text, at);
        else if (data.type === 'tool') tool(data, message, to, at);
        else if (data.type === 'retry') to.retry(at);
        else if (data.type === 'step-finish') {
          if (isObject(data.tokens)) {
            message.counted = true;
            usage(message, obj(data.tokens), num(data.cost) ?? num(obj(data.cost).usd), to, at);
          }
          to.endTurn(str(data.reason), at);
        } else if (data.type !== 'step-start') recorder.skip(`part: ${String(data.type)}`);
      }
    },
    end() {
      for (const [id, transcript] of transcripts) {
        const message = current.get(id);
        if (message) leave(message, transcript);
        transcript.end();
      }
    },
  };
}

/** Whether a part belongs to the model's answer, not to the facts about it. */
function isAnswer({ type }: Obj): boolean {
  return type === 'step-start' || type === 'text' || type === 'reasoning' || type === 'tool' || type === 'retry';
}

function modelOf(info: Obj): string | undefined {
  return str(info.modelID) ?? str(obj(info.model).modelID);
}

/** Ids become names of files, so other characters are refused. */
export function isPlainId(id: Json | undefined): id is string {
  return typeof id === 'string' && /^[\w-]{1,128}$/.test(id);
}
