/** Messages as the extension sends them. */

export const usage = { inputTokens: 41_230, outputTokens: 2_310, cachedTokens: 30_000, reasoningTokens: 400 };

export const facts = (more = {}) => ({
  model: 'claude-sonnet-4-5',
  provider: 'anthropic',
  approval: 'ask',
  guard: 'watching',
  usage,
  price: { input: 3, output: 15, cached: 0.3 },
  trusted: true,
  ...more,
});

export const conversation = (history = [], more = {}) => ({
  type: 'conversation',
  sessionId: 'session-1',
  history,
  facts: facts(),
  ...more,
});

export const events = (...list) => ({ type: 'events', events: list });
export const content = (text) => ({ type: 'content', text });
export const request = (id, tool, input, title = Object.values(input)[0] ?? '') => ({
  type: 'tool-call-request',
  call: { id, tool, input },
  title,
});
export const result = (id, tool, output, more = {}) => ({
  type: 'tool-call-result',
  id,
  tool,
  status: 'ok',
  output,
  ...more,
});

export const patch = `Index: src/total.ts
===================================================================
--- src/total.ts
+++ src/total.ts
@@ -1,7 +1,8 @@
 import type { Row } from './row.js';
 
 export function total(rows: readonly Row[]): number {
-  let sum;
-  for (const row of rows) sum += row.amount;
+  let sum = 0;
+  for (const row of rows) sum += Number(row.amount);
+  if (!Number.isFinite(sum)) throw new RangeError('an amount is no number');
   return sum;
 }
`;

export const answer = `The total is wrong because \`sum\` starts as \`undefined\`, see src/total.ts:4.

## What I changed

1. \`sum\` starts at **zero**.
2. Amounts are read as numbers, since [the importer](https://example.org/importer) gives strings.
   - empty ones count as zero
3. Anything else is an error.

\`\`\`ts
export function total(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + Number(row.amount), 0);
}
\`\`\`

| file | before | after |
|------|-------:|------:|
| \`src/total.ts\` | 12 | 13 |
| \`src/row.ts\` | 4 | 4 |

> Rows without an amount are still counted.

- [x] tests pass
- [ ] changelog`;

const thought =
  '**Finding the cause**\n\nThe test expects 42 and gets NaN. Adding to undefined gives NaN, so the accumulator must be the culprit. Let me look at where it starts.';

const kinds = {
  'repeated-calls': [
    'Repeated calls',
    'The call read_file (README.md) was made 3 times in a row, with the same result each time.',
    ['read_file'],
  ],
  cycle: [
    'A cycle of calls',
    'The same 2 calls, read_file (src/a.ts) and search_file_content (total), went round 4 times, with the same result each time.',
    ['read_file', 'search_file_content'],
  ],
  'repeated-failure': [
    'The same failure again',
    'run_shell_command has failed 4 times with the same error, “tsc: not found”, the same call each time.',
    ['run_shell_command'],
  ],
  'same-outcome': [
    'Different calls, the same outcome',
    'search_file_content was asked in 6 different ways, last (totals), and found nothing each time.',
    ['search_file_content'],
  ],
  oscillation: [
    'Back and forth',
    'The same change of src/a.ts was made 3 times with replace, and undone in between.',
    ['replace'],
  ],
  chanting: [
    'Chanting',
    'The message repeats "I will check. " (14 characters) 9 times in a row word for word, 112 characters after the first time.',
    [],
  ],
  circling: [
    'Circling in thought',
    'The reasoning has gone on for 4200 characters with hardly anything new: 3100 of them at least were said three times before.',
    [],
  ],
  monologue: [
    'The same message again',
    'The same message was given 3 times with nothing new done in between: "Shall I go on?".',
    [],
  ],
  stall: ['No progress', 'The last 12 calls brought nothing new; 5 of them failed in ways seen before.', ['read_file']],
  judged: [
    'Judged to be stuck',
    'gpt-5-mini read the session and thinks that it is stuck: it reads the same three files in turn.',
    [],
  ],
  budget: ['Budget used up', 'The request has used 41 of 40 turns, and one call alone came back 9 times.', []],
};
export const loopKinds = Object.keys(kinds);

export function loop(kind = 'repeated-calls', more = {}) {
  const [title, explanation, tools] = kinds[kind];
  const waste = tools.length > 0 ? { calls: 3, characters: 0, tokens: 2340 } : { calls: 0, characters: 126, tokens: 0 };
  const finding = {
    detector: 'stale-rounds',
    kind,
    status: 'looping',
    seq: 15,
    onset: 7,
    episode: '1',
    again: 0,
    confidence: 0.9,
    evidence: { cycle: [{ tool: tools[0] ?? '', about: 'README.md' }], times: 3, error: null, unseen: false },
    tools,
    calls: [1],
    waste,
  };
  const choices = ['stop', 'continue', 'hint', 'exempt', 'disable'].filter(
    (one) => one !== 'exempt' || tools.length > 0,
  );
  return {
    type: 'loop-detected',
    kind,
    title,
    explanation,
    findings: [finding],
    evidence: finding.evidence,
    waste,
    decision: { type: 'ask', question: { message: explanation, findings: [finding], choices } },
    choices,
    resumes: true,
    dropped: tools.length > 0 ? ['c9'] : [],
    ...more,
  };
}

export const steered = { ...loop(), type: 'loop-steered', message: 'Use the result you already have.' };
export const suspected = {
  type: 'loop-suspected',
  finding: loop().findings[0],
  explanation: 'The call read_file (README.md) was made twice in a row, with the same result each time.',
};

export const approval = (more = {}) => ({
  type: 'approval',
  id: 7,
  request: {
    call: { id: 'c3', tool: 'replace', input: { path: 'src/total.ts' } },
    title: 'src/total.ts',
    effect: 'edit',
    display: { type: 'diff', path: 'src/total.ts', patch },
    covers: ['replace'],
    ...more,
  },
});

export const commandApproval = {
  type: 'approval',
  id: 8,
  request: {
    call: { id: 'c4', tool: 'run_shell_command', input: { command: 'npm test -- total && git status --short' } },
    title: 'npm test -- total && git status --short',
    effect: 'run',
    display: { type: 'command', command: 'npm test -- total && git status --short', folder: '/home/me/project' },
    covers: ['npm test', 'git status'],
  },
};

/** A request with a bit of everything. */
export const work = [
  { type: 'started', text: 'Why is the total wrong? Please mend it.' },
  events(
    { type: 'reasoning', text: thought },
    content('I look at the code that adds up.'),
    request('c1', 'read_file', { path: 'src/total.ts' }),
    result('c1', 'read_file', 'a\nb\nc\n'.repeat(4)),
    request('c2', 'run_shell_command', { command: 'npm test' }),
    {
      type: 'tool-call-output',
      id: 'c2',
      text: `${Array.from({ length: 14 }, (_, k) => `✓ src/row-${k}.test.ts (3 tests)`).join('\n')}\n\u001b[31mFAIL\u001b[0m src/total.test.ts\nexpected NaN to be 42\n`,
    },
    result('c2', 'run_shell_command', 'exit code 1\nexpected NaN to be 42', { status: 'failed' }),
    request('c3', 'replace', { path: 'src/total.ts' }),
  ),
];

export const done = [
  events(
    result('c3', 'replace', 'changed', { display: { type: 'diff', path: 'src/total.ts', patch } }),
    content(answer),
    { type: 'finished', reason: 'stop' },
  ),
  { type: 'settled' },
];

export const looping = [
  { type: 'started', text: 'Read it to me' },
  events(
    ...['r1', 'r2', 'r3'].flatMap((id) => [
      request(id, 'read_file', { path: 'README.md' }),
      result(id, 'read_file', 'one\ntwo\nthree\n'),
    ]),
  ),
];

export const sessions = {
  type: 'sessions',
  sessions: Array.from({ length: 30 }, (_, k) => ({
    id: `s${k}`,
    title:
      [
        'Why is the total wrong? Please mend it.',
        'Read it to me',
        'Explain how sessions are kept, and where the file of the open one is',
      ][k % 3] + (k > 2 ? ` (${k})` : ''),
    updatedAt: new Date(Date.now() - k * k * 3_600_000 - 120_000).toISOString(),
    model: 'claude-sonnet-4-5',
    messages: 3 + k,
    halted: k % 4 === 1,
  })),
};

/** The files of the answer in `done` that can be restored. */
export const undoable = [{ id: 4, call: 'c3', files: ['src/total.ts', 'src/row.ts'] }];

/** The attachments of the next message. */
export const attached = [
  { id: 1, path: 'src/total.ts', lines: [3, 9] },
  { id: 2, path: 'README.md', note: 'not saved' },
  { id: 3, path: 'src/a/very/long/path/to/a/file/that/has/a/long/name/of/its/own.test.ts', lines: [120, 120] },
];

/** A request that runs until the guard halts it. */
export const halt = (kind, more) => [...looping, events(suspected, steered, loop(kind, more)), { type: 'settled' }];
