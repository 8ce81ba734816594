import type { Json } from '../event.js';
import { unwrapped } from './identity.js';

/** A tool and what it is given. */
export interface Asked {
  readonly tool: string;
  readonly input: Json;
}

const nameKeys = ['tool_name', 'toolName', 'tool', 'function_name', 'action_name'];
const argumentKeys = ['arguments', 'args', 'parameters', 'params', 'tool_input', 'toolInput', 'tool_args', 'input'];
const nameOfTool = /^[\w.:/-]{1,80}$/;

/** What is called in the end: some tools call others, and are told which, and what to give it. */
export function askedOf(tool: string, input: Json): Asked {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { tool, input };
  const object = input as { readonly [key: string]: Json };
  const name = nameKeys.find((key) => typeof object[key] === 'string' && nameOfTool.test(object[key]));
  const given = name && argumentKeys.find((key) => typeof unwrapped(object[key] ?? null) === 'object' && object[key]);
  return given ? { tool: object[name] as string, input: unwrapped(object[given]!) } : { tool, input };
}
