import type { Json } from '../event.js';
import { commandEffect } from './command.js';
import { unwrapped } from './identity.js';
import type { Effect } from './step.js';

/** What a call does, told by the tool's name and, for shells, queries and editors with modes, by what it is asked to do. */
export function effectOf(tool: string, given: Json, nature = natureOf(tool)): Effect {
  if (nature === 'read' || nature === 'note' || nature === 'poll' || nature === 'act') return nature;
  const input = unwrapped(given);
  const command = textAt(input, 'command') ?? textAt(input, 'cmd') ?? textAt(input, 'script');
  switch (nature) {
    case 'write':
      return editorModes.has(command ?? '') ? 'read' : 'write';
    case 'stdin':
      return (textAt(input, 'chars') ?? textAt(input, 'input') ?? '').trim() === '' ? 'poll' : 'run';
    case 'query':
      return queryEffect(
        textAt(input, 'query') ?? textAt(input, 'sql') ?? command ?? (typeof input === 'string' ? input : ''),
      );
    default: {
      if (command?.trim() === '') return 'poll'; // an empty command waits for the one before
      if (command !== undefined) return commandEffect(command);
      const query = textAt(input, 'sql') ?? textAt(input, 'query') ?? textAt(input, 'statement');
      if (query !== undefined) return queryEffect(query);
      return typeof input === 'string' ? commandEffect(input) : 'run';
    }
  }
}

/** What a tool is by its name; `shell` for those that hand commands to one. */
export type Nature = Exclude<Effect, 'run'> | 'shell' | 'query' | 'stdin' | 'unknown';

/** Names that mislead when they are read word by word. */
const known: { readonly [tool: string]: Nature } = {
  todowrite: 'note',
  todoread: 'note',
  taskcreate: 'note',
  taskupdate: 'note',
  tasklist: 'note',
  taskget: 'note',
  updateplan: 'note',
  exitplanmode: 'note',
  enterplanmode: 'note',
  askuserquestion: 'note',
  savememory: 'note',
  skill: 'note',
  updatetodolist: 'note',
  taskoutput: 'poll',
  bashoutput: 'poll',
  agentoutput: 'poll',
  writestdin: 'stdin',
  sendinput: 'stdin',
  strreplaceeditor: 'write',
  strreplacebasededittool: 'write',
  searchreplace: 'write',
  findandreplace: 'write',
  createfile: 'write',
  toolsearch: 'read',
  webfetch: 'read',
  ls: 'read',
  submit: 'write',
  goto: 'read',
  finalanswer: 'note',
};

const verbs: { readonly [word: string]: Nature } = {};
function verb(nature: Nature, words: string): void {
  for (const word of words.split(' ')) (verbs as Record<string, Nature>)[word] = nature;
}
verb('note', 'think thinking thought todo todos plan reflect brainstorm remember');
verb('poll', 'wait sleep poll await watch monitor heartbeat');
verb(
  'read',
  'read get list search find grep glob view open show fetch lookup describe cat browse visit inspect stat check calculate calculator load retrieve look screenshot snapshot ask summarize analyze',
);
verb(
  'write',
  'write edit multiedit create update delete remove replace apply patch insert set add put post send book cancel modify rename mkdir commit push publish upload exchange return transfer save append undo restore reset rm touch mv cp',
);
verb(
  'act',
  'scroll page click press type key move drag hover swipe tap next prev previous step go walk turn navigate goto',
);
verb('shell', 'bash shell exec execute run terminal command commands cmd sh zsh powershell');
verb('query', 'sql query');

const editorModes = new Set(['view', 'read', 'open']);
const memory = new Map<string, Nature>();

export function natureOf(tool: string): Nature {
  const cached = memory.get(tool);
  if (cached) return cached;
  const nature = readName(tool);
  if (tool.length > 120) return nature; // it would be kept alive
  if (memory.size > 512) memory.clear();
  memory.set(tool, nature);
  return nature;
}

function readName(tool: string): Nature {
  const name = tool.slice(tool.startsWith('mcp__') ? tool.indexOf('__', 5) + 2 : 0);
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const joined = words.join('');
  if (Object.hasOwn(known, joined)) return known[joined]!;
  const first = words.find((word) => Object.hasOwn(verbs, word));
  return first === undefined ? 'unknown' : verbs[first]!;
}

function queryEffect(query: string): Effect {
  return /^\s*(?:insert|update|delete|create|drop|alter|replace|truncate|merge|grant)\b/i.test(query)
    ? 'write'
    : 'read';
}

function textAt(input: Json, key: string): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const value = (input as { readonly [key: string]: Json })[key];
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value.join(' ') : undefined;
}
