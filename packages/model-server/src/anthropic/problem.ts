import { fieldsOf, isObject, listOf, quote, stringOf } from '@loopfuse/wire';
import { sealBroken } from '../seal.js';
import { toolsProblem } from '../tools-problem.js';

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

/** Checks a body as the messages endpoint does. */
export function problem(body: unknown): string | undefined {
  if (!isObject(body)) return 'the body must be a JSON object';
  if (typeof body.model !== 'string' || body.model === '') return 'model: a string is required';
  if (!Number.isInteger(body.max_tokens) || (body.max_tokens as number) < 1)
    return `max_tokens: an integer of at least 1 is required, got ${quote(body.max_tokens)}`;
  return (
    historyProblem(body) ??
    toollessProblem(body) ??
    thinkingProblem(body.thinking, body.max_tokens as number) ??
    toolsProblem({
      tools: listOf(body.tools).map(fieldsOf),
      forced: fieldsOf(body.tool_choice).name,
      names: toolName,
      schemaKey: 'input_schema',
    })
  );
}

/** Checks the history only, which is also needed for counting tokens. */
export function historyProblem({ messages, system }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required';
  if (system !== undefined && typeof system !== 'string' && !Array.isArray(system))
    return 'system: must be a string or a list of text blocks';
  for (const [index, message] of messages.entries()) {
    const wrong = messageProblem(`messages.${index}`, message, index === messages.length - 1);
    if (wrong !== undefined) return wrong;
  }
  const first = fieldsOf(messages[0]).role;
  if (first !== 'user') return `messages.0.role: the first message must be the user's, got ${quote(first)}`;
  return pairingProblem(turnsOf(messages as readonly Record<string, unknown>[]));
}

function messageProblem(at: string, message: unknown, last: boolean): string | undefined {
  if (!isObject(message)) return `${at}: must be an object`;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return `${at}.role: must be "user" or "assistant", got ${quote(role)}`;
  if (typeof content === 'string')
    return content === '' && !(last && role === 'assistant') ? `${at}.content: must not be empty` : undefined;
  if (!Array.isArray(content)) return `${at}.content: a string or a list of blocks is required`;
  if (content.length === 0 && !(last && role === 'assistant')) return `${at}.content: must not be empty`;
  for (const [nth, block] of content.entries()) {
    const wrong = blockProblem(`${at}.content.${nth}`, role, block);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function blockProblem(at: string, role: string, block: unknown): string | undefined {
  if (!isObject(block) || typeof block.type !== 'string') return `${at}.type: a string is required`;
  const { type } = block;
  if (type === 'text')
    return typeof block.text === 'string' && block.text.trim() !== ''
      ? undefined
      : `${at}.text: must contain text that is not white space`;
  if (type === 'tool_use') {
    if (role !== 'assistant') return `${at}: a tool_use block belongs to the assistant, not to the ${role}`;
    if (typeof block.id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(block.id))
      return `${at}.id: must match ^[a-zA-Z0-9_-]+$, got ${quote(block.id)}`;
    if (typeof block.name !== 'string' || !toolName.test(block.name))
      return `${at}.name: must match ${toolName.source}, got ${quote(block.name)}`;
    return isObject(block.input) ? undefined : `${at}.input: must be an object, got ${quote(block.input)}`;
  }
  if (type === 'tool_result') {
    if (role !== 'user') return `${at}: a tool_result block belongs to the user, not to the ${role}`;
    return typeof block.tool_use_id === 'string' ? undefined : `${at}.tool_use_id: a string is required`;
  }
  if (type === 'thinking') {
    if (role !== 'assistant') return `${at}: a thinking block belongs to the assistant, not to the ${role}`;
    if (typeof block.thinking !== 'string') return `${at}.thinking: a string is required`;
    if (typeof block.signature !== 'string' || block.signature === '') return `${at}.signature: a string is required`;
    return sealBroken(block.signature, block.thinking)
      ? `${at}.signature: does not belong to this thinking`
      : undefined;
  }
  return undefined;
}

interface TurnOfOne {
  readonly at: string;
  readonly role: unknown;
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

/** Messages of one role in a row are one turn, as the provider joins them. System messages do not count. */
function turnsOf(messages: readonly Readonly<Record<string, unknown>>[]): readonly TurnOfOne[] {
  const turns: TurnOfOne[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') continue;
    const blocks = typeof content === 'string' ? [{ type: 'text' }] : listOf(content).map(fieldsOf);
    const last = turns.at(-1);
    if (last !== undefined && last.role === role)
      turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
    else turns.push({ at: `messages.${index}`, role, blocks });
  }
  return turns;
}

function pairingProblem(turns: readonly TurnOfOne[]): string | undefined {
  const used = new Set<unknown>();
  let open = new Set<unknown>();
  for (const { at, role, blocks } of turns) {
    if (role === 'user') {
      let others = false;
      for (const { type, tool_use_id } of blocks) {
        if (type !== 'tool_result') others = true;
        else if (!open.delete(tool_use_id))
          return `${at}: the tool_result for ${quote(tool_use_id)} has no tool_use of that id in the message before, or is given twice`;
        else if (others) return `${at}: the tool_result for ${quote(tool_use_id)} must come before any other content`;
      }
      if (open.size > 0) return `${at}: there is no tool_result for the tool_use ${[...open].map(quote).join(', ')}`;
      continue;
    }
    open = new Set();
    for (const { type, id } of blocks) {
      if (type !== 'tool_use') continue;
      if (used.has(id)) return `${at}: the tool_use id ${quote(id)} is used twice`;
      used.add(id);
      open.add(id);
    }
  }
  return open.size > 0
    ? `${turns.at(-1)?.at}: there is no tool_result for the tool_use ${[...open].map(quote).join(', ')} in a message after it`
    : undefined;
}

/** A history with calls is accepted only together with tools. */
function toollessProblem({ messages, tools }: Readonly<Record<string, unknown>>): string | undefined {
  if (listOf(tools).length > 0) return undefined;
  const used = listOf(messages).some((message) =>
    listOf(fieldsOf(message).content).some((block) => /^tool_(use|result)$/.test(stringOf(fieldsOf(block).type))),
  );
  return used ? 'tools: are required where the messages hold tool_use or tool_result blocks' : undefined;
}

function thinkingProblem(thinking: unknown, most: number): string | undefined {
  const { type, budget_tokens } = fieldsOf(thinking);
  if (type !== 'enabled') return undefined;
  if (!Number.isInteger(budget_tokens) || (budget_tokens as number) < 1024)
    return `thinking.budget_tokens: an integer of at least 1024 is required, got ${quote(budget_tokens)}`;
  return (budget_tokens as number) < most ? undefined : 'max_tokens: must be greater than thinking.budget_tokens';
}
