import type { Json } from '../event.js';
import { unwrapped } from './identity.js';
import { natureOf } from './nature.js';

/** A tool and what it is given. */
export interface Asked {
  readonly tool: string;
  readonly input: Json;
}

const nameKeys = ['tool_name', 'toolName', 'tool', 'function_name', 'action_name'];
const argumentKeys = ['arguments', 'args', 'parameters', 'params', 'tool_input', 'toolInput', 'tool_args', 'input'];
const nameOfTool = /^[\w.:/-]{1,80}$/;

/** Whether a tool may only pass on what it is given: its own name says that of no tool that reads, writes or moves. */
export function mayCallOthers(tool: string): boolean {
  const nature = natureOf(tool);
  return nature === 'unknown' || nature === 'shell' || tool.endsWith(')');
}

/** What is called in the end, where a tool is named together with what it is given: `click(12)`. */
export function askedInName(tool: string, input: Json): Asked | undefined {
  if (!tool.endsWith(')') || !isEmpty(input)) return undefined;
  const at = tool.indexOf('(');
  const name = tool.slice(0, at);
  return nameOfTool.test(name) ? { tool: name, input: unwrapped(tool.slice(at + 1, -1)) } : undefined;
}

function isEmpty(input: Json): boolean {
  return typeof input === 'object' ? input === null || Object.keys(input).length === 0 : input === '';
}

/** What is called in the end, where a tool calls another, and is told which, and what to give it. */
export function askedOf(input: Json, names = nameKeys, inputs = argumentKeys): Asked | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const object = input as { readonly [key: string]: Json };
  for (const key of names) {
    const tool = object[key];
    if (typeof tool !== 'string' || !nameOfTool.test(tool)) continue;
    const given = inputs.find((one) => typeof unwrapped(object[one] ?? null) === 'object' && object[one]);
    return given === undefined ? undefined : { tool, input: unwrapped(object[given]!) };
  }
  return undefined;
}
