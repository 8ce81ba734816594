import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf, wordsOf } from '../translating/content.js';
import { isObject, list, type Obj, obj, str, timeOf } from '../translating/json.js';
import { tagged } from '../translating/tagged.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Cursor's agent transcripts (`~/.cursor/projects/…/agent-transcripts/*.jsonl`). They hold no results and no times. */
export const cursor: LinesFormat = {
  name: 'cursor',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isCursorLine),
  translate: translateCursor,
};

function isCursorLine(line: Json): boolean {
  const { role, message, type } = obj(line);
  return (
    type === undefined &&
    (role === 'user' || role === 'assistant') &&
    isObject(message) &&
    message.role === undefined &&
    Array.isArray(message.content)
  );
}

function translateCursor(recorder: Recorder): Translator<Json> {
  let transcript: Transcript | undefined;
  let answers = 0;

  function assistant(content: Json | undefined, to: Transcript, at: number | undefined): void {
    to.turn(`answer-${answers++}`, at);
    for (const each of list(content)) {
      const block = obj(each);
      if (block.type === 'thinking') to.reasoning(str(block.thinking) ?? str(block.text) ?? '', at);
      else if (block.type === 'tool_use' || block.type === 'tool_call')
        to.call(str(block.id), str(block.name) ?? 'unknown', block.input ?? {}, at);
      else if (typeof block.text === 'string') to.text(block.text, at);
      else recorder.skip(`content: ${String(block.type)}`);
    }
  }

  function user(content: Json | undefined, to: Transcript, at: number | undefined): void {
    for (const each of list(content)) {
      const block = obj(each);
      if (block.type === 'tool_result' || block.type === 'tool-result')
        to.result({ id: str(block.tool_use_id), output: contentOf(block.content), at, tool: str(block.name) });
    }
    const text = wordsOf(content);
    const query = tagged(text, 'user_query')?.inside.trim();
    if (text !== '') to.prompt(query ?? text, at);
  }

  return {
    record(value) {
      const line: Obj = obj(value);
      transcript ??= createTranscript(recorder, recorder.open(recorder.fallbackId, { agent: 'cursor' }));
      const at = timeOf(line.timestamp);
      const { content } = obj(line.message);
      const model = str(line.model);
      if (model !== undefined) transcript.session.model = model;
      if (line.role === 'assistant') assistant(content, transcript, at);
      else if (line.role === 'user') user(content, transcript, at);
      else if (line.type === 'turn_ended') transcript.endTurn(str(line.status), at);
      else recorder.skip(String(line.type ?? line.role));
    },
    end: () => transcript?.end(),
  };
}
