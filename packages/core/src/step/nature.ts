import type { Effect } from './step.js';

/** What kind of tool it is, told by its name; `shell` for tools that pass commands to a shell. */
export type Nature = Exclude<Effect, 'run'> | 'picture' | 'shell' | 'query' | 'stdin' | 'unknown';

/** Names that mislead when they are read word by word. */
const known: { readonly [tool: string]: Nature } = {
  updateplan: 'note',
  updatetodolist: 'note',
  todowrite: 'note',
  writetodos: 'note',
  updatetodos: 'note',
  taskoutput: 'poll',
  bashoutput: 'poll',
  writestdin: 'stdin',
  sendkeys: 'act',
  searchreplace: 'write',
  findandreplace: 'write',
};

const verbs: { readonly [word: string]: Nature } = {};
function verb(nature: Nature, words: string): void {
  for (const word of words.split(' ')) (verbs as Record<string, Nature>)[word] = nature;
}
verb('note', 'think thinking thought todo todos plan reflect brainstorm remember');
verb('poll', 'wait sleep poll await watch monitor heartbeat');
verb(
  'read',
  'read get list search find grep glob view open show fetch lookup describe cat browse visit navigate inspect stat check calculate calculator load retrieve look ask summarize analyze ls goto tree logs',
);
verb(
  'write',
  'write edit multiedit create update delete remove replace apply patch insert set add put post send book cancel modify rename mkdir commit push publish upload exchange return transfer save append undo restore reset rm touch mv cp upsert archive transition assign mark close reopen approve enable disable grant revoke register subscribe invite schedule reserve pay charge refund',
);
verb('act', 'scroll page click press type fill key move drag hover swipe tap next prev previous step go walk turn');
verb('picture', 'screenshot snapshot capture');
verb('shell', 'bash shell exec execute run terminal command commands cmd sh zsh powershell');
verb('query', 'sql query');

const memory = new Map<string, Nature>();

export function natureOf(tool: string): Nature {
  const cached = memory.get(tool);
  if (cached) return cached;
  const nature = readName(tool);
  if (tool.length > 120) return nature; // the map would keep the long name alive
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
