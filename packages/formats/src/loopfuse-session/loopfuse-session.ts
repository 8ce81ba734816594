import type { Json } from 'loopfuse';
import type { DocumentFormat, Recorder, Translator } from '../format.js';
import { list, num, obj, str, timeOf } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Conversations of Loopfuse's own agent (`~/.loopfuse/sessions/<workspace>/<id>.json`). */
export const loopfuseSession: DocumentFormat = {
  name: 'loopfuse-session',
  shape: 'document',
  sniff: ({ document }) =>
    document?.top === 'object' &&
    ['version', 'id', 'root', 'createdAt'].every((key) => document.keys.has(key)) &&
    document.records.every(({ key, value }) => key !== 'version' || typeof value === 'number'),
  translate: translateLoopfuseSession,
};

const newestVersion = 1;

function translateLoopfuseSession(recorder: Recorder): Translator<Json> {
  let transcript: Transcript | undefined;
  let answers = 0;

  function open(): Transcript {
    transcript ??= createTranscript(recorder, recorder.open(recorder.fallbackId, { agent: 'loopfuse' }));
    return transcript;
  }

  function learn(key: string, value: Json): void {
    const { session } = open();
    if (key === 'id' && str(value) !== undefined) recorder.rename(session, str(value)!);
    else if (key === 'root') recorder.open(session.id, { project: str(value) });
    else if (key === 'createdAt') recorder.open(session.id, { startedAt: timeOf(value) });
    else if (key === 'model' || key === 'title') recorder.open(session.id, { [key]: str(value) });
    else if (key === 'version' && typeof value === 'number' && value > newestVersion)
      recorder.fault(
        `the file has version ${value}, and this reader knows versions up to ${newestVersion}; only what it knows was read`,
      );
    // The usage here is the sum over the answers.
    else if (key !== 'version') recorder.skip(key);
  }

  function message(value: Json): void {
    const { role, from, text, parts, results, interrupted, at, usage, model, takenOut } = obj(value);
    const to = open();
    // Rounds that a rewind took out of the model's context did happen.
    if (takenOut !== undefined) for (const earlier of list(obj(takenOut).messages)) message(earlier);
    if (role === 'user') said(to, from, str(text) ?? '');
    else if (role === 'assistant') {
      const when = typeof at === 'number' ? at : undefined;
      to.turn(`answer-${++answers}`, when);
      for (const each of list(parts)) part(to, each, when);
      spent(to, usage, str(model), when);
      to.endTurn(interrupted === true ? 'interrupted' : undefined, when);
    } else if (role === 'tool') for (const result of list(results)) returned(to, result);
    else recorder.skip(`message: ${String(role)}`);
  }

  /** Messages with the user's role: the user's own, the guard's, and summaries of the earlier conversation. */
  function said(to: Transcript, from: Json | undefined, text: string): void {
    if (from === 'user') to.prompt(text);
    else if (from === 'guard') steer(to, text);
    else if (from === 'summary') to.compaction();
    else recorder.skip(`user: ${String(from)}`);
  }

  function part(to: Transcript, value: Json, at: number | undefined): void {
    const { type, text, id, tool, input } = obj(value);
    if (type === 'text') to.text(str(text) ?? '', at);
    else if (type === 'reasoning') to.reasoning(str(text) ?? '', at);
    else if (type === 'tool-call') to.call(str(id), str(tool) ?? 'unknown', input ?? {}, at);
    else recorder.skip(`part: ${String(type)}`);
  }

  /** The answer has its model if that was not the session's model. */
  function spent(to: Transcript, value: Json | undefined, model: string | undefined, at: number | undefined): void {
    if (value === undefined) return; // older sessions have no usage in answers
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = obj(value);
    const counts = { input: num(inputTokens), output: num(outputTokens), cached: num(cachedTokens) };
    to.usage({ ...counts, written: num(cacheWriteTokens), model }, at);
  }

  function returned(to: Transcript, value: Json): void {
    const { id, tool, output, status } = obj(value);
    const { result, note } = withoutNote(str(output) ?? '');
    to.result({ id: str(id), output: result, failed: status !== 'ok', tool: str(tool) });
    if (note !== undefined) steer(to, note);
  }

  function steer(to: Transcript, text: string): void {
    recorder.emit(to.session, { type: 'steer', text });
  }

  return {
    record(value, key) {
      if (key === 'history') message(value);
      else learn(key, value);
    },
    end: () => transcript?.end(),
  };
}

/** A note of the loop guard follows the last result; it is not part of the tool's output. */
const noteMark = '\n\n[Loop guard] ';

function withoutNote(output: string): { readonly result: string; readonly note?: string } {
  const at = output.lastIndexOf(noteMark);
  return at < 0 ? { result: output } : { result: output.slice(0, at), note: output.slice(at + 2) };
}
