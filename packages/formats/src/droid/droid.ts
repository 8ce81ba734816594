import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf } from '../translating/content.js';
import { isObject, list, num, type Obj, obj, str, timeOf } from '../translating/json.js';
import { untagged } from '../translating/tagged.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** Factory Droid's sessions (`~/.factory/sessions/*.jsonl`) and what `droid exec --output-format stream-json` prints. */
export const droid: LinesFormat = {
  name: 'droid',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isDroidLine),
  translate: translateDroid,
};

function isDroidLine(line: Json): boolean {
  const { type, id, title, owner, role, text, toolName, session_id: a, sessionId: b } = obj(line);
  if (type === 'session_start') return str(id) !== undefined && (title !== undefined || owner !== undefined);
  if ((str(a) ?? str(b)) === undefined) return false;
  return type === 'message'
    ? typeof role === 'string' && typeof text === 'string'
    : type === 'tool_call' && str(toolName) !== undefined;
}

function translateDroid(recorder: Recorder): Translator<Json> {
  const seen = new Set<string>();
  let transcript: Transcript | undefined;
  let answers = 0;

  function open(id?: string): Transcript {
    transcript ??= createTranscript(recorder, recorder.open(id ?? recorder.fallbackId, { agent: 'droid' }));
    return transcript;
  }

  function prompt(text: string, to: Transcript, at: number | undefined): void {
    const said = untagged(text, 'system-reminder').rest.trim();
    answers++;
    if (said !== '') to.prompt(said, at);
  }

  /** A stored message: blocks as in Anthropic's interface. */
  function stored(line: Obj, to: Transcript, at: number | undefined): void {
    const { role, content } = obj(line.message);
    const words: string[] = [];
    for (const each of typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)) {
      const block = obj(each);
      if (block.type === 'tool_result') {
        const failed = typeof block.is_error === 'boolean' ? block.is_error : undefined;
        to.result({ id: str(block.tool_use_id), output: contentOf(block.content), failed, at });
      } else if (role === 'user') words.push(str(block.text) ?? '');
      else {
        to.turn(str(line.id) ?? `answer-${answers}`, at);
        if (block.type === 'text') to.text(str(block.text) ?? '', at);
        else if (block.type === 'thinking') to.reasoning(str(block.thinking) ?? '', at);
        else if (block.type === 'tool_use') to.call(str(block.id), str(block.name) ?? 'unknown', block.input ?? {}, at);
        else recorder.skip(`content: ${String(block.type)}`);
      }
    }
    if (words.length > 0) prompt(words.join('\n'), to, at);
  }

  function streamed(line: Obj, to: Transcript, at: number | undefined): void {
    const text = str(line.text) ?? '';
    if (line.role === 'user') prompt(text, to, at);
    else {
      to.turn(`answer-${answers}`, at);
      to.text(text, at);
    }
  }

  function result(line: Obj, to: Transcript, at: number | undefined): void {
    const { value } = line;
    const { stdout, stderr, exitCode } = obj(value);
    const code = num(exitCode);
    const failed = typeof line.isError === 'boolean' ? line.isError : code === undefined ? undefined : code !== 0;
    const output =
      stdout === undefined && stderr === undefined ? contentOf(value) : `${str(stdout) ?? ''}${str(stderr) ?? ''}`;
    to.result({
      id: str(line.toolCallId) ?? str(line.id),
      output,
      failed,
      at,
      tool: str(line.toolName) ?? str(line.toolId),
    });
    answers++;
  }

  return {
    record(value) {
      const line = obj(value);
      const at = timeOf(line.timestamp);
      const id = str(line.id);
      if (id !== undefined) {
        const key = `${String(line.type)} ${id} ${String(line.timestamp)}`;
        if (seen.has(key)) {
          recorder.skip('repeated line');
          return;
        }
        seen.add(key);
      }
      const to = open(line.type === 'session_start' ? id : (str(line.session_id) ?? str(line.sessionId)));
      switch (line.type) {
        case 'session_start':
        case 'system':
          recorder.open(to.session.id, {
            project: str(line.cwd),
            model: str(line.model),
            version: str(line.version),
            title: str(line.sessionTitle) ?? str(line.title),
          });
          return;
        case 'message':
          if (isObject(line.message)) stored(line, to, at);
          else streamed(line, to, at);
          return;
        case 'reasoning':
          to.turn(`answer-${answers}`, at);
          to.reasoning(str(line.text) ?? '', at);
          return;
        case 'tool_call':
          to.turn(`answer-${answers}`, at);
          to.call(str(line.toolCallId) ?? id, str(line.toolName) ?? 'unknown', line.parameters ?? {}, at);
          return;
        case 'tool_result':
          result(line, to, at);
          return;
        case 'completion': {
          const usage = obj(line.usage);
          const cached = num(usage.cache_read_input_tokens);
          const written = num(usage.cache_creation_input_tokens);
          const input = (num(usage.input_tokens) ?? 0) + (cached ?? 0) + (written ?? 0);
          to.turn(`answer-${answers}`, at);
          to.text(str(line.finalText) ?? '', at);
          to.usage({ input, output: num(usage.output_tokens), cached, written }, at);
          return;
        }
        case 'compaction_state':
        case 'compaction':
          to.compaction(at);
          return;
        default:
          recorder.skip(String(line.type));
      }
    },
    end: () => transcript?.end(),
  };
}
