import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf } from '../translating/content.js';
import { isWrapped } from '../translating/injected.js';
import { isObject, list, num, type Obj, obj, str, timeOf } from '../translating/json.js';
import { tagged } from '../translating/tagged.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Qwen Code's sessions (`~/.qwen/projects/…/chats/*.jsonl`). */
export const qwenCode: LinesFormat = {
  name: 'qwen-code',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isQwenLine),
  translate: translateQwenCode,
};

function isQwenLine(line: Json): boolean {
  const { uuid, sessionId, type, message, systemPayload } = obj(line);
  if (str(uuid) === undefined || str(sessionId) === undefined || typeof type !== 'string') return false;
  return Array.isArray(obj(message).parts) || (type === 'system' && isObject(systemPayload));
}

function translateQwenCode(recorder: Recorder): Translator<Json> {
  const seen = new Set<string>();
  let transcript: Transcript | undefined;
  /** The sub-agent, if this is the log of one. */
  let own: string | undefined;

  function transcriptOf(line: Obj): Transcript {
    if (transcript !== undefined) return transcript;
    const session = str(line.sessionId) ?? recorder.fallbackId;
    const agentId = str(line.agentId);
    // A sub-agent's log has the id of the session that started it.
    own = line.isSidechain === true ? agentId : undefined;
    transcript = createTranscript(
      recorder,
      recorder.open(own === undefined ? session : `${session}/${own}`, {
        agent: 'qwen-code',
        project: str(line.cwd),
        version: str(line.version),
        ...(own === undefined ? {} : { parent: session }),
      }),
    );
    return transcript;
  }

  function user(line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    if (line.subtype === 'notification') {
      recorder.skip('user: notification');
      return;
    }
    const shown = str(obj(line.systemPayload).displayText);
    const texts = list(obj(line.message).parts).flatMap((part) => str(obj(part).text) ?? []);
    const written = shown ?? texts.filter((one) => !one.startsWith('<qwen:')).join('\n');
    const text = withoutReminder(written);
    if (isWrapped(text) || text.startsWith('System: ')) recorder.skip('user: written by the agent itself');
    else if (text !== '') to.prompt(text, at, lane);
  }

  function assistant(line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const model = str(line.model);
    if (model !== undefined && lane === undefined) to.session.model = model;
    to.turn(str(line.uuid) ?? '', at, lane);
    for (const each of list(obj(line.message).parts)) {
      const part = obj(each);
      const call = obj(part.functionCall);
      if (isObject(part.functionCall)) to.call(str(call.id), str(call.name) ?? 'unknown', call.args ?? {}, at, lane);
      else if (part.thought === true) to.reasoning(str(part.text) ?? '', at, lane);
      else if (typeof part.text === 'string') to.text(part.text, at, lane);
      else recorder.skip(`part: ${Object.keys(part)[0] ?? 'empty'}`);
    }
    const tokens = obj(line.usageMetadata);
    // Whether thoughts are part of the candidates depends on the provider; the total shows it.
    const input = num(tokens.promptTokenCount);
    const total = num(tokens.totalTokenCount);
    const output = total !== undefined && input !== undefined ? total - input : num(tokens.candidatesTokenCount);
    to.usage({ input, output, cached: num(tokens.cachedContentTokenCount), model }, at, lane);
  }

  function results(line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const outcome = obj(line.toolCallResult);
    for (const part of list(obj(line.message).parts)) {
      const { id, name, response } = obj(obj(part).functionResponse);
      if (response === undefined) continue;
      const { output, error } = obj(response);
      const status = str(outcome.status);
      const failed = error !== undefined || (status === undefined ? undefined : status !== 'success');
      to.result({
        id: str(id) ?? str(outcome.callId),
        output: contentOf(output ?? error ?? response),
        failed,
        at,
        lane,
        tool: str(name),
      });
    }
  }

  function system(line: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const payload = obj(line.systemPayload);
    if (line.subtype === 'chat_compression') to.compaction(at, lane);
    else if (line.subtype === 'custom_title') to.session.title = str(payload.customTitle) ?? '';
    else if (/\.api_error$/.test(str(obj(payload.uiEvent)['event.name']) ?? '')) to.retry(at, lane);
    else recorder.skip(`system: ${String(line.subtype)}`);
  }

  return {
    record(value) {
      const line = obj(value);
      // The pieces of an answer have one uuid and different times; a repeated line has the same time too.
      const key = `${String(line.uuid)} ${String(line.timestamp)} ${String(line.type)}`;
      if (str(line.uuid) !== undefined) {
        if (seen.has(key)) {
          recorder.skip('repeated line');
          return;
        }
        seen.add(key);
      }
      const to = transcriptOf(line);
      const at = timeOf(line.timestamp);
      const lane = str(line.agentId) === own ? undefined : str(line.agentId);
      if (line.type === 'user') user(line, to, at, lane);
      else if (line.type === 'assistant') assistant(line, to, at, lane);
      else if (line.type === 'tool_result') results(line, to, at, lane);
      else if (line.type === 'system') system(line, to, at, lane);
      else recorder.skip(String(line.type));
    },
    end: () => transcript?.end(),
  };
}

/** Removes notices that the CLI puts before the user's text. */
function withoutReminder(text: string): string {
  if (!text.startsWith('<system-reminder>')) return text;
  const { after = '' } = tagged(text, 'system-reminder') ?? {};
  return after.trim() === '' ? text : after.trimStart();
}
