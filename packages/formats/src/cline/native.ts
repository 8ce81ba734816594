import type { Json } from 'loopfuse';
import { list, obj } from '../translating/json.js';
import { tagged, untagged } from '../translating/tagged.js';

/**
 * A message of a task in the form of the model interface. Cline and Roo Code may let models call tools in XML in their
 * text, and give results as text. This turns such calls and results into native blocks, and reduces other text of the
 * user's messages to the user's own words.
 */
export function nativeMessage(value: Json): Json {
  const message = obj(value);
  const { content } = message;
  const blocks: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
  if (message.role === 'assistant') return { ...message, content: answerBlocks(blocks) } as Json;
  if (message.role === 'user') return { ...message, content: userBlocks(blocks) } as Json;
  return value;
}

function answerBlocks(blocks: readonly Json[]): Json[] {
  const native = blocks.some((block) => obj(block).type === 'tool_use');
  return blocks.flatMap((block): Json[] => {
    const { type, text } = obj(block);
    if (native || type !== 'text' || typeof text !== 'string') return [block];
    const { rest: said, inside } = untagged(text, 'thinking');
    const found = inside.map((thinking): Json => ({ type: 'thinking', thinking }));
    const call = xmlCall(said);
    if (call === undefined) return [...found, { type: 'text', text: said }];
    return [...found, { type: 'text', text: call.before }, { type: 'tool_use', name: call.tool, input: call.input }];
  });
}

const notTools = new Set(['environment_details', 'task_progress', 'file_content', 'user_message']);

/** The most tags of a text that are searched for a call, and the most parameters of a call. */
const maxTags = 64;

/** The first tag that is named like a tool (two words or more), with its parameters. Agents run one tool per answer. */
function xmlCall(text: string): { before: string; tool: string; input: { [name: string]: string } } | undefined {
  let tags = 0;
  for (const { 0: tag, 1: tool, index } of text.matchAll(/<([a-z]+(?:_[a-z]+)+)>/g)) {
    if (++tags > maxTags) return undefined;
    if (tool === undefined || notTools.has(tool)) continue;
    const whole = tagged(text, tool, index);
    const input = parametersIn(whole?.inside ?? text.slice(index + tag.length));
    // An answer that was cut may have begun a call without ending it.
    if (whole === undefined && Object.keys(input).length === 0) continue;
    return { before: text.slice(0, index).trimEnd(), tool, input };
  }
  return undefined;
}

function parametersIn(text: string): { [name: string]: string } {
  const input: { [name: string]: string } = {};
  let left = text;
  for (let k = 0; k < maxTags; k++) {
    const name = /<([a-z_]+)>/.exec(left)?.[1];
    const found = name === undefined ? undefined : tagged(left, name);
    if (name === undefined || found === undefined) return input;
    input[name] = found.inside.replace(/^\n/, '').replace(/\n$/, '');
    left = found.after;
  }
  return input;
}

const resultHead = /^\[([\w-]+)(?: for '[\s\S]*?')?\] Result:?\s*/;

function userBlocks(blocks: readonly Json[]): Json[] {
  const found: Json[] = [];
  let result: { type: 'tool_result'; content: string; is_error?: boolean } | undefined;
  for (const block of blocks) {
    const { type, text } = obj(block);
    if (type !== 'text' || typeof text !== 'string') {
      found.push(failedInside(block));
      continue;
    }
    const words = userWords(text);
    const head = resultHead.exec(text);
    if (head !== null) {
      result = { type: 'tool_result', content: text.slice(head[0].length) };
      found.push(result as unknown as Json);
    } else if (words !== undefined) {
      if (words !== '') found.push({ type: 'text', text: words });
      result = undefined;
    } else if (result !== undefined) result.content += (result.content === '' ? '' : '\n') + text;
    else if (!/^\s*(\[ERROR\]|\[TASK RESUMPTION\]|# )/.test(text)) found.push(block);
    if (result !== undefined && /^\s*(<error>|The tool execution failed|Error: )/.test(result.content))
      result.is_error = true;
  }
  return found;
}

/** The results of the command line tool contain the success of each query. */
function failedInside(block: Json): Json {
  const { type, content, is_error: failed } = obj(block);
  if (type !== 'tool_result' || failed !== undefined) return block;
  const outcomes = list(content).map((each) => obj(each).success);
  if (!outcomes.some((outcome) => typeof outcome === 'boolean')) return block;
  return { ...obj(block), is_error: outcomes.includes(false) } as Json;
}

/** The user's words in a text of a user message; undefined if they are not marked, empty if the text is context. */
function userWords(text: string): string | undefined {
  if (/^\s*<environment_details>/.test(text)) return '';
  const tag = /^\s*<(task|feedback|user_message|answer|user_input)[ >]/.exec(text.slice(0, 1000))?.[1];
  return tag === undefined ? undefined : tagged(text, tag)?.inside.trim();
}
