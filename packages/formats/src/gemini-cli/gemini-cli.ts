import { basename, dirname } from 'node:path';
import type { Json } from 'loopfuse';
import type { DocumentFormat, LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf, wordsOf } from '../translating/content.js';
import { isWrapped } from '../translating/injected.js';
import { isObject, list, num, type Obj, obj, str, timeOf } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Gemini CLI's sessions, as current versions write them line by line (`~/.gemini/tmp/…/chats/session-*.jsonl`). */
export const geminiCli: LinesFormat = {
  name: 'gemini-cli',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isHeader),
  translate: translateGeminiCli,
};

/** Gemini CLI's sessions as one JSON document each (`session-*.json`). */
export const geminiCliDocument: DocumentFormat = {
  name: 'gemini-cli',
  shape: 'document',
  sniff: ({ document }) =>
    document?.keys.has('messages') === true &&
    (document.keys.has('projectHash') ||
      document.records.some(({ key, value }) => key === 'messages' && isAnswer(value))),
  translate: translateGeminiCli,
};

function isHeader(line: Json): boolean {
  const { sessionId, projectHash, messages } = obj(line);
  return str(sessionId) !== undefined && str(projectHash) !== undefined && messages === undefined;
}

function isAnswer(value: Json): boolean {
  const { type, content, toolCalls } = obj(value);
  return type === 'gemini' && (content !== undefined || toolCalls !== undefined);
}

/** The part of a message that was reported so far: the log writes the message again whenever it grows. */
interface Reported {
  readonly id: string;
  characters: number;
  /** The end of that text: a message that was rewritten in another form did not grow. */
  ending: string;
  thoughts: number;
  usage: boolean;
  /** It is in a history that was summarised. */
  old: boolean;
}

const endingLength = 32;

function translateGeminiCli(recorder: Recorder): Translator<Json> {
  const reported = new Map<string, Reported>();
  let transcript: Transcript | undefined;
  let unnamed = 0;
  let subagent = false;
  let asked = false;

  function open(): Transcript {
    transcript ??= createTranscript(recorder, recorder.open(recorder.fallbackId, { agent: 'gemini-cli' }));
    return transcript;
  }

  function learn(key: string, value: Json): void {
    if (key === 'sessionId' && str(value) !== undefined) recorder.rename(open().session, str(value)!);
    else if (key === 'directories') recorder.open(open().session.id, { project: str(list(value)[0]) ?? str(value) });
    else if (key === 'startTime') began(timeOf(value));
    else if (key === 'kind' && value === 'subagent') ofSubagent();
    else if (key === 'summary') recorder.open(open().session.id, { title: str(value) });
    else if (key === 'messages') all(list(value).map(obj));
    else if (key === 'model') recorder.open(open().session.id, { model: str(value) });
  }

  /** Repeated whenever the session is resumed; the earliest time counts. */
  function began(at: number | undefined): void {
    const { session } = open();
    if (at !== undefined && !(session.startedAt! <= at)) recorder.open(session.id, { startedAt: at });
  }

  /** Sub-agents write into a folder that is named after the session that started them. */
  function ofSubagent(): void {
    subagent = true;
    const folder = basename(dirname(recorder.file));
    if (/^[0-9a-f-]{36}$/.test(folder)) recorder.open(open().session.id, { parent: folder });
  }

  /** The whole current history. If it was summarised, nothing in it is new, although the CLI wrote some of it. */
  function all(records: readonly Obj[]): void {
    const summary = records.find(({ id, content, type }) => {
      const isNew = str(id) !== undefined && !reported.has(str(id)!);
      return isNew && type === 'user' && wordsOf(content).trimStart().startsWith('<state_snapshot>');
    });
    if (summary === undefined || reported.size === 0) {
      for (const each of records) message(each);
      return;
    }
    open().compaction(timeOf(summary.timestamp));
    for (const { id } of records) if (str(id) !== undefined) seenBefore(str(id)!).old = true;
  }

  function seenBefore(id: string): Reported {
    let so = reported.get(id);
    if (so === undefined) {
      so = { id, characters: 0, ending: '', thoughts: 0, usage: false, old: false };
      reported.set(id, so);
    }
    return so;
  }

  function message(record: Obj): void {
    const to = open();
    const at = timeOf(record.timestamp);
    const id = str(record.id) ?? `message-${++unnamed}`;
    const so = seenBefore(id);
    if (so.old) return;
    const text = spokenIn(record.content ?? record.parts ?? record.displayContent);
    if (record.type === 'user') {
      if (so.characters === 0 && text !== '') {
        // Messages to a sub-agent after its task are written by the CLI.
        const isFromCli = subagent && asked;
        if (isFromCli || isWrapped(text) || text.startsWith('System: ')) {
          recorder.skip('user: written by the agent itself');
          recorder.open(to.session.id, { project: /Workspace Directories:\**\s+- (.+)/.exec(text)?.[1] });
        } else to.prompt(wordsOf(record.displayContent) || text, at);
        asked ||= !isWrapped(text);
        so.characters = text.length;
      }
    } else if (record.type === 'gemini' || record.type === 'model') answer(record, text, so, to, at);
    else if (record.type === 'info' && /^Request cancelled/.test(text)) to.interrupt(at);
    else recorder.skip(String(record.type));
  }

  function answer(record: Obj, text: string, so: Reported, to: Transcript, at: number | undefined): void {
    const model = str(record.model);
    if (model !== undefined) to.session.model = model;
    const thoughts = list(record.thoughts).slice(so.thoughts);
    const more = text.slice(0, so.characters).endsWith(so.ending) ? text.slice(so.characters) : '';
    const all = list(record.toolCalls).map(obj);
    const calls = all.filter(({ id: callId }) => str(callId) === undefined || !to.knows(str(callId)!));
    if (thoughts.length > 0 || more !== '' || calls.length > 0 || !so.usage) to.turn(so.id, at);
    for (const each of thoughts) {
      const { subject, description } = obj(each);
      to.reasoning([str(subject), str(description)].filter((part) => part !== undefined).join('\n'), at);
    }
    to.text(more, at);
    for (const call of calls) to.call(str(call.id), str(call.name) ?? 'unknown', call.args ?? {}, at);
    so.thoughts += thoughts.length;
    so.characters += more.length;
    if (more !== '') so.ending = text.slice(-endingLength);
    if (!so.usage && isObject(record.tokens)) {
      so.usage = true;
      const tokens = obj(record.tokens);
      const output = (num(tokens.output) ?? 0) + (num(tokens.thoughts) ?? 0);
      to.usage({ input: num(tokens.input), output, cached: num(tokens.cached) }, at);
    }
    for (const call of all) result(call, to, at);
  }

  function result(call: Obj, to: Transcript, at: number | undefined): void {
    const id = str(call.id);
    const { status } = call;
    const done = status === 'success' || status === 'error' || status === 'cancelled';
    if (!done && list(call.result).length === 0) return;
    if (id !== undefined && !to.waits(id)) return;
    const output = outputOf(call);
    const code = typeof output === 'string' ? /\bExit Code: (\d+)/.exec(output)?.[1] : undefined;
    const failed = status === 'error' || status === 'cancelled' || (code !== undefined && code !== '0');
    to.result({ id, output, failed, at: timeOf(call.timestamp) ?? at, tool: str(call.name) });
  }

  return {
    record(value, key) {
      if (key === 'messages') message(obj(value));
      else if (key !== '') learn(key, value);
      else if (isHeader(value))
        for (const [fact, reported] of Object.entries(value as Obj)) learn(fact, reported ?? null);
      else if (isObject(obj(value).$set))
        for (const [fact, reported] of Object.entries(obj(obj(value).$set))) learn(fact, reported ?? null);
      else if (obj(value).type !== undefined) message(obj(value));
      else recorder.skip(Object.keys(obj(value))[0] ?? 'unknown');
    },
    end: () => transcript?.end(),
  };
}

/** The text of a message without its thoughts, which are among its parts when a resumed session is rewritten. */
function spokenIn(content: Json | undefined): string {
  return wordsOf(Array.isArray(content) ? content.filter((part: Json) => obj(part).thought !== true) : content);
}

function outputOf(call: Obj): Json {
  const texts: Json[] = [];
  for (const part of list(call.result)) {
    const { response } = obj(obj(part).functionResponse);
    if (response !== undefined) texts.push(obj(response).output ?? obj(response).error ?? response);
  }
  if (texts.length === 1) return contentOf(texts[0]);
  return texts.length > 1 ? texts : contentOf(call.resultDisplay);
}
