import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf, wordsOf } from '../translating/content.js';
import { isObject, list, num, type Obj, obj, str, timeOf } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** pi's sessions (`~/.pi/agent/sessions/…/*.jsonl`). */
export const pi: LinesFormat = {
  name: 'pi',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isPiLine),
  translate: translatePi,
};

function isPiLine(line: Json): boolean {
  const { type, id, cwd, version, message } = obj(line);
  if (type === 'session') return str(id) !== undefined && str(cwd) !== undefined && num(version) !== undefined;
  const { role, api, toolCallId } = obj(message);
  return (
    type === 'message' &&
    (role === 'assistant' ? str(api) !== undefined : role === 'toolResult' && str(toolCallId) !== undefined)
  );
}

function translatePi(recorder: Recorder): Translator<Json> {
  const seen = new Set<string>();
  let transcript: Transcript | undefined;

  function open(id?: string): Transcript {
    transcript ??= createTranscript(recorder, recorder.open(id ?? recorder.fallbackId, { agent: 'pi' }));
    return transcript;
  }

  function assistant(message: Obj, id: string, to: Transcript, at: number | undefined): void {
    recorder.open(to.session.id, { model: str(message.model) });
    to.turn(str(message.responseId) === undefined ? id : `${String(message.responseId)} ${id}`, at);
    for (const each of list(message.content)) {
      const block = obj(each);
      if (block.type === 'text') to.text(str(block.text) ?? '', at);
      else if (block.type === 'thinking') to.reasoning(str(block.thinking) ?? '', at);
      else if (block.type === 'toolCall')
        to.call(str(block.id), str(block.name) ?? 'unknown', block.arguments ?? {}, at);
      else recorder.skip(`content: ${String(block.type)}`);
    }
    const usage = obj(message.usage);
    const cached = num(usage.cacheRead);
    const written = num(usage.cacheWrite);
    const input = (num(usage.input) ?? 0) + (cached ?? 0) + (written ?? 0);
    to.usage({ input, output: num(usage.output), cached, written, cost: num(obj(usage.cost).total) }, at);
    if (message.stopReason === 'aborted') to.interrupt(at);
    else to.endTurn(str(message.stopReason), at);
  }

  function message(line: Obj, to: Transcript, at: number | undefined): void {
    const said = obj(line.message);
    const { role } = said;
    if (role === 'user') to.prompt(wordsOf(said.content), at);
    else if (role === 'assistant') assistant(said, str(line.id) ?? '', to, at);
    else if (role === 'toolResult') {
      const failed = typeof said.isError === 'boolean' ? said.isError : undefined;
      to.result({ id: str(said.toolCallId), output: contentOf(said.content), failed, at, tool: str(said.toolName) });
    } else if (role === 'compactionSummary') to.compaction(at);
    else recorder.skip(`message: ${String(role)}`);
  }

  return {
    record(value) {
      const line = obj(value);
      const id = str(line.id);
      if (id !== undefined) {
        const key = `${id} ${String(line.timestamp)}`;
        if (seen.has(key)) {
          recorder.skip('repeated line');
          return;
        }
        seen.add(key);
      }
      const at = timeOf(line.timestamp);
      switch (line.type) {
        case 'session':
          recorder.open(open(id).session.id, { project: str(line.cwd), parent: str(line.parentSession) });
          return;
        case 'message':
          if (isObject(line.message)) message(line, open(), at);
          return;
        case 'compaction':
          open().compaction(at);
          return;
        case 'model_change':
          recorder.open(open().session.id, { model: str(line.modelId) });
          return;
        case 'session_info':
          recorder.open(open().session.id, { title: str(line.name) });
          return;
        default:
          recorder.skip(String(line.type));
      }
    },
    end: () => transcript?.end(),
  };
}
