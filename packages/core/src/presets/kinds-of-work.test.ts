import { type AgentEvent, createWatch, type Json } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { describe, expect, test } from 'vitest';

/*
 * Agents of many kinds at work, and stuck, as a host shows them: a tool, what it was asked, what came back. Batches are
 * acknowledged alike, moves go on from where the last one ended, and checks that pass say so again and again: none of that
 * is a loop.
 */
type Call = readonly [tool: string, input: Json, output: Json, failed?: boolean];

const nouns =
  'river stone lantern orchard meadow harbour copper violin saddle thunder pepper marble falcon ribbon walnut glacier anchor basket candle desert'.split(
    ' ',
  );
const noun = (k: number): string => nouns[k % nouns.length]!;
const times = (count: number, make: (k: number) => Call): readonly Call[] =>
  Array.from({ length: count }, (_, k) => make(k));
const pairs = (count: number, make: (k: number) => readonly Call[]): readonly Call[] =>
  Array.from({ length: count }, (_, k) => make(k)).flat();
const bash = (command: string, output: string, failed?: boolean): Call =>
  failed === undefined ? ['bash', { command }, output] : ['bash', { command }, output, failed];

const form = ['First name', 'Last name', 'Street', 'Postal code', 'City', 'Country', 'Phone', 'Comment'];
const page = `- Page URL: https://shop.test/checkout\n- heading "Checkout"\n${form.map((f) => `- textbox "${f}"`).join('\n')}\n- button "Order now"`;
const months = 'January February March April May June July August September October November December'.split(' ');
const weeks = Array.from({ length: 5 }, (_, r) => `- row: ${Array.from({ length: 7 }, (_, d) => 7 * r + d + 1)}`).join(
  '\n',
);
const wrapper =
  '\n[The command completed with exit code 0.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python3]';

/** Five pages that a search knows of, in the order in which it finds them for the words of a question. */
const hits = (k: number): Json => ({
  query_time_ms: 200 + 37 * k,
  results: [0, 1, 2, 3, 4].map((at) => {
    const name = noun((k % 3) + at < 5 ? (k % 3) + at : (k % 3) + at - 5);
    return {
      rank: at + 1,
      title: `The ${name} keepers of the northern coast`,
      snippet: `How the ${name} was built, who kept it and which ships it saved: a history of the ${name} in letters and pictures.`,
    };
  }),
});
const combobox = (k: number): string =>
  `### Page state\n- Page URL: https://ferry.test/passengers\n- banner [ref=e${600 + 61 * k}]:\n  - link "Home" [ref=e${603 + 61 * k}]\n- main [ref=e${610 + 61 * k}]:\n  - heading "Passengers" [ref=e${611 + 61 * k}]\n  - textbox "Name" [ref=e${617 + 61 * k}]\n  - combobox "Category" [ref=e${620 + 61 * k}]: Adult\n  - button "Continue to payment" [ref=e${633 + 61 * k}]`;

const admissible: readonly Json[] = [1, 2, 3, 4, 5, 6].flatMap((k) => [`examine drawer ${k}`, `go to drawer ${k}`]);
const plan: Json = ['Set up the project', 'Convert the templates', 'Move the posts'].map((content, k) => ({
  id: `${k + 1}`,
  content,
  status: k === 0 ? 'in_progress' : 'pending',
  priority: 'high',
}));

const work: Record<string, readonly Call[]> = {
  'a build that is watched by keys in a terminal': times(8, (k) => [
    'send_keystrokes',
    { keystrokes: 'tail -n 2 build.log; wc -l < build.log\n', duration: 60 },
    `New Terminal Output:\nroot@c:/app# tail -n 2 build.log; wc -l < build.log\n  CC ${noun(k)}/${noun(k + 3)}.o\n  CC ${noun(k + 9)}/${noun(k + 4)}.o\n${831 + 190 * k}\nroot@c:/app#`,
  ]),
  'a maze, one key at a time': times(14, (k) => [
    'send_keystrokes',
    { keystrokes: `${'nesw'[(k * 7) % 4]}\n` },
    `New Terminal Output:\n${'#'.repeat(3 + (k % 3))}\n#@${' '.repeat(k % 4)}\n# ##\nok moves=${k}\nmove [n/s/e/w]> `,
  ]),
  'pages of a log': times(9, (k) =>
    bash(
      `sed -n '${100 * k + 1},${100 * k + 100}p' app.log`,
      Array.from(
        { length: 12 },
        (_, at) =>
          `2027-03-11T0${k}:${10 + 3 * at}:30.221Z ${['INFO', 'WARN', 'DEBUG'][(k + at) % 3]} ${['cart', 'auth', 'edge', 'queue'][(k * at) % 4]} req=${(7919 * (k + 3) * (at + 5)).toString(16)} took=${(37 * k + 53 * at) % 900}ms status=200`,
      ).join('\n'),
    ),
  ),
  'records whose codes are numbered': times(9, (k) => [
    'get_booking',
    { code: `QX${83 + k}LM` },
    {
      status: 'ok',
      data: {
        code: `QX${83 + k}LM`,
        lead: `${noun(k)} ${noun(k + 7)}`,
        route: 'OSL-BGO',
        fare: 1190 + 50 * (k % 4),
        insurance: k % 3 === 0,
        status: 'CONFIRMED',
        segments: [{ flight: `NX${426 + 131 * k}`, dep: '2027-03-08T07:10', arr: '2027-03-08T08:05' }],
        passengers: [{ name: `${noun(k)} ${noun(k + 7)}`, seat: `${k + 3}C` }],
      },
    },
  ]),
  'links, each asked for its head': times(14, (k) =>
    bash(
      `curl -sI https://docs.test/${noun(k)} | head -5`,
      `HTTP/2 200\ndate: Tue, 08 Jul 2027 10:0${k % 10}:${10 + k} GMT\ncontent-type: text/html; charset=utf-8\ncache-control: max-age=600\nserver: example${wrapper}`,
    ),
  ),
  'drawers, opened one after the other': pairs(9, (k) => [
    [
      'env.step',
      { action: `go to drawer ${k + 1}` },
      { observation: `The drawer ${k + 1} is closed, below a ${noun(k)}.`, admissible },
    ],
    [
      'env.step',
      { action: `open drawer ${k + 1}` },
      {
        observation: `You open the drawer ${k + 1}. In it, you see a ${noun(k)}.`,
        admissible: [...admissible, `take ${noun(k)} 1 from drawer ${k + 1}`],
      },
    ],
  ]),
  'a bisection, with an install before every measurement': times(16, (k) =>
    bash(
      k % 2 === 0 ? 'npm ci --silent && ./bench.sh' : `git bisect ${k % 3 === 0 ? 'good' : 'bad'}`,
      k % 2 === 0
        ? `start: ${k % 4 === 0 ? `${118 + k} ms` : `${490 + k} ms\nSLOW`}`
        : `Bisecting: ${512 >> (k >> 1)} revisions left to test after this\n[${noun(k)}] the ${noun(k + 3)} of the ${noun(k + 7)}`,
    ),
  ),
  'a record that is looked at after every merge': pairs(8, (k) => [
    ['merge_contacts', { into: 90, from: 91 + k }, { ok: true }],
    [
      'get_account',
      { id: 5512 },
      {
        account: 5512,
        name: 'Weaver Tools',
        contacts: [90, 91, 92, 93, 94, 95, 96, 97, 98].filter((id) => id === 90 || id > 91 + k),
        primary: { id: 90, phones: ['0101', '0102', '0103', '0120', '0124', '0131'].slice(0, 3 + (k >> 1)) },
        revision: 376 + 3 * k,
      },
    ],
  ]),
  'a form, field by field, on a page that does not show what was typed': form
    .map((field, k): Call => ['browser_type', { element: field, ref: `e${k}`, text: noun(k) }, page])
    .concat(times(4, (k) => ['browser_type', { element: noun(k), ref: `f${k}`, text: noun(k + 5) }, page])),
  'a calendar, month by month': months.map(
    (month): Call => ['browser_click', { element: 'Next month', ref: 'e7' }, `- heading "${month} 2027"\n${weeks}`],
  ),
  'a menu of which the cursor moves': times(8, (k) => [
    'send_keys',
    { keys: 'Down' },
    `Main menu\n${nouns.map((name, at) => `${at === k ? '>' : ' '} ${name}`).join('\n')}`,
  ]),
  'screenshots that are not kept, and clicks': pairs(12, (k) => [
    ['browser_take_screenshot', {}, '[image]'],
    ['browser_click', { element: noun(k), ref: `e${k}` }, 'Clicked.'],
  ]),
  'a robot that goes ahead': times(12, () => [
    'move_forward',
    {},
    '{"success":true,"message":"The robot has moved one field forward. The way ahead is clear."}',
  ]),
  'cells of a sheet': times(15, (k) => [
    'update_cell',
    { sheet: 'Budget', cell: `B${k + 2}`, value: 100 + 7 * k },
    '{"updated":true,"message":"The cell was changed and the sheet has been calculated anew."}',
  ]),
  'letters that are filed': times(12, (k) => [
    'archive_email',
    { id: k + 10 },
    'The message has been moved to the archive and is no longer shown among the new ones.',
  ]),
  'records that are written': times(15, (k) => [
    'upsert_record',
    { collection: 'people', id: k, data: { name: noun(k) } },
    '{"acknowledged":true,"matchedCount":1,"modifiedCount":1,"upsertedCount":0}',
  ]),
  'issues that are closed': times(8, (k) => [
    'transition_issue',
    { key: `AB-${k + 30}`, to: 'Done' },
    'The issue was moved to Done. Those who follow it have been told, and the board shows it in the last column.',
  ]),
  'pictures that are converted, behind what the host writes around everything': times(12, (k) =>
    bash(`convert p${k}.tif p${k}.webp`, wrapper),
  ),
  'modules that need no change': times(8, (k) =>
    bash(
      `terraform -chdir=modules/${noun(k)} plan`,
      'No changes. Your infrastructure matches the configuration, and so nothing needs to be done.',
    ),
  ),
  'installs that warn of the same thing': times(6, (k) => [
    'shell',
    { command: 'npm ci', workdir: `/srv/${noun(k)}` },
    'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.\n\nadded 212 packages in 4s\n\nfound 0 vulnerabilities',
  ]),
  'files with the same edit': times(12, (k) => [
    'str_replace',
    { path: `src/${noun(k)}.ts`, old_str: "from 'old'", new_str: "from 'new'" },
    'The edit has been applied to the file, and the language server has nothing to say about it.',
  ]),
  'looks for names that are gone': times(12, (k) => ['grep', { pattern: noun(k), path: 'src' }, 'No matches found']),
  'checks that pass, package by package': times(10, (k) =>
    bash(`mypy src/${noun(k)}`, 'Success: no issues found in 4 source files'),
  ),
  'tests after each edit, of which fewer fail each time': pairs(8, (k) => [
    [
      'edit',
      { path: 'src/a.ts', old_string: noun(k), new_string: `${noun(k + 3)}(${noun(k + 7)})` },
      'The file has been updated.',
    ],
    bash('npm test', `FAIL src/a.test.ts\n  ${noun(k)} is not what it should be\n${8 - k} failed, ${k} passed`, true),
  ]),
  'diagnostics after each edit': pairs(8, (k) => [
    ['edit', { path: 'src/a.ts', old_string: noun(k), new_string: noun(k + 3) }, 'ok'],
    ['get_diagnostics', { path: 'src/a.ts' }, '[]'],
  ]),
  'one file in pieces': times(9, (k) => [
    'view',
    { path: 'big.py', view_range: [60 * k + 1, 60 * k + 60] },
    Array.from({ length: 8 }, (_, j) => `${60 * k + j}\tdef ${noun(k + j)}_${noun(2 * k + j)}(self)`).join('\n'),
  ]),
  'tables of which each is described': times(10, (k) => [
    'describe_table',
    { table: noun(k) },
    `id integer primary key not null\n${noun(k + 3)} text not null\ncreated_at timestamp not null`,
  ]),
  'a price that moves': times(7, (k) => ['get_price', { symbol: 'ABC' }, { price: 187.1 + 0.37 * k, currency: 'EUR' }]),
  'a debugger, step by step': times(12, (k) => ['debugger_step', {}, `Stopped at main.c:${40 + k}\n  ${noun(k)}();`]),
  'values of one setting, each tried': times(8, (k) =>
    bash(
      `python train.py --lr ${0.1 / (k + 1)}`,
      `loss: ${(2.3 - k / 9).toFixed(3)}\nval accuracy: ${(0.41 + k / 30).toFixed(3)}`,
    ),
  ),
};

const stuck: Record<string, readonly Call[]> = {
  'a list of tasks that is written again and again': times(7, () => ['todowrite', { todos: plan }, plan]),
  'actions in other words that have no effect': times(8, (k) => [
    'env.step',
    { action: `${['put', 'place', 'put the'][k % 3]} mug 2 in coffeemachine 1` },
    'Nothing happens.',
  ]),
  'rounds of four steps with one failure in each, whatever else is done': pairs(12, (k) => [
    ['measure', { what: 'lead' }, `${10 + k} degrees celsius, and the ${noun(k)} is ${noun(k + 5)} by now`],
    ['activate', { what: 'stove' }, "The stove appears broken, and can't be activated.", true],
    ['write_note', { text: noun(k) }, `noted: ${noun(k)}`],
    ['look_around', { at: noun(k + 2) }, `You see a ${noun(k + 3)} beside a ${noun(k + 8)} and a ${noun(k + 11)}.`],
  ]),
  'a query in other words that finds nothing, and then the same again': [
    '',
    ' AS most',
    ' AS most ORDER BY most DESC',
    ' AS most ORDER BY most',
    ' AS most ORDER BY most DESC',
    '',
    ' AS most',
    ' AS most ORDER BY most',
  ].map(
    (rest): Call => ['run_sql', { query: `SELECT country, MAX(worth)${rest} FROM citizens GROUP BY country` }, '[]'],
  ),
  'a command that stops at the same question, called in other ways': [
    'npm run db:push',
    'echo "" | npm run db:push',
    'yes "" | npm run db:push',
    'npm run db:push -- --force',
  ].map((command) =>
    bash(
      command,
      `> shop@1.0.0 db:push\n> schema push\n\nReading the configuration of the database from the default place\nPulling the schema from the database, please be patient\nIs the column notes in the table bookings created or renamed from another column?\n❯ create column\n  rename column`,
    ),
  ),
  'one search in ever new words, with the same pages in another order': times(9, (k) => [
    'web_search',
    { query: `${noun(3 * k + 5)} ${noun(5 * k + 8)} ${noun(7 * k + 11)} lighthouse` },
    hits(k),
  ]),
  'a list that does not open, on a page that names its parts anew each time': times(8, (k) => [
    'browser_click',
    { element: 'Passenger category', ref: `e${620 + 61 * k}` },
    combobox(k),
  ]),
  'a fridge that is opened, closed and opened': times(8, (k) => [
    'step',
    { action: `${k % 2 === 0 ? 'open' : 'close'} fridge 1` },
    k % 2 === 0 ? `You open the fridge. In it, you see ${nouns.slice(0, 9).join(', ')}.` : 'You close the fridge.',
  ]),
  'a dead button': times(8, () => [
    'browser_click',
    { element: 'Continue', ref: 'e12' },
    '- heading "Your address"\n- textbox "Street"\n- alert: "Please choose a country first."\n- button "Continue"\n- link "Back"',
  ]),
  'a login that fails': times(6, (k) => [
    'login',
    { user: 'ida', password: `guess${k}` },
    'Login failed: wrong name or password.',
  ]),
  'a patch that does not apply': times(6, (k) => [
    'apply_patch',
    { patch: `*** Update File: a.ts\n-${noun(k)}\n+${noun(k + 1)}` },
    'error: patch failed: a.ts:12\nerror: a.ts: patch does not apply',
    true,
  ]),
  'the same mail once more': times(5, () => [
    'send_email',
    { to: 'ida@x.test', body: 'The bill is attached.' },
    '{"status":"sent"}',
  ]),
  'the same file once more': times(5, () => [
    'write_file',
    { path: 'a.md', content: '# The page\n\nAs before.' },
    'File written.',
  ]),
  'a change to and fro': times(10, (k) => [
    'edit',
    { path: 'a.ts', old: k % 2 ? 'let b' : 'const b', new: k % 2 ? 'const b' : 'let b' },
    'The file a.ts has been updated.',
  ]),
  'a date that is always missing': times(5, (k) => [
    'create_event',
    { title: 'Meeting', start: `2027-01-0${k + 1}`, end: '' },
    'Validation error: "end" is required.',
    true,
  ]),
  'a file that is nowhere': times(7, (k) => [
    'read_file',
    { path: `${noun(k)}/config.json` },
    'ENOENT: no such file or directory',
    true,
  ]),
  'tests that are run again with nothing changed': times(6, () =>
    bash('npm test', 'FAIL a.test.ts\n1 failed, 8 passed', true),
  ),
  'two looks in turn': pairs(6, () => [
    ['list_dir', { path: '.' }, 'README.md src test'],
    ['read_file', { path: 'README.md' }, '# The project\n\nIt does what it should.'],
  ]),
  'other words that bring the same document': times(7, (k) => [
    'retrieve',
    { query: `${['refund', 'return', 'money back', 'repayment', 'reimbursement', 'refunds', 'returns'][k]} policy` },
    'Document 12: We sell bicycles and everything around them. Opening hours are from nine to six on weekdays, and from ten to two on Saturdays. Find us at the old harbour, where the ferries land, behind the market.',
  ]),
  'pages that all turn out to be the same': times(9, (k) => [
    'browser_navigate',
    { url: `https://s.test/search?q=${noun(k)}` },
    '- heading "There is unusual traffic from your network"\n- text: Please solve the riddle to go on.\n- checkbox "I am a person"',
  ]),
  'a query that finds nothing': times(4, () => ['run_sql', { query: 'SELECT name FROM ships WHERE port = 9' }, '[]']),
  'two desks that hand over to each other': pairs(6, () => [
    ['transfer_to_billing', {}, 'Transferred to billing.'],
    ['transfer_to_support', {}, 'Transferred to support.'],
  ]),
};

/** A harness quotes what it cannot use, so that no two of its answers are the same. */
test('balanced sees through a harness that quotes each answer before it refuses it', () => {
  const watch = createWatch({ detectors: balanced() });
  const refused = Array.from({ length: 6 }, (_, k) => {
    const text = `Round ${k}: ${Array.from({ length: 12 }, (__, at) => `${noun(k * 3 + at)} beside ${noun(k * 7 + at * 5)}`).join(', ')}.`;
    watch.observe({ type: 'turn-start' });
    watch.observe({ type: 'text', text });
    return watch.observe({
      type: 'prompt',
      text: `Error in code parsing: the pattern <code>(.*?)</code> was not found in your snippet.\nHere is your snippet:\n${text}\nMake sure to give code between the tags.`,
    }).status;
  });
  expect(refused).toContain('looping');
});

/** Between the calls of an agent that is asked for its next command, with the same words, each time. */
test('balanced sees through a harness that asks for every command in the same words', () => {
  const search = (k: number, query: string): readonly AgentEvent[] => [
    { type: 'prompt', text: 'Determine which next command to use, and respond using the format specified above:' },
    { type: 'text', text: `I will look for ${noun(k)} and ${noun(k + 5)} before I write the plan.` },
    { type: 'tool-call', id: `${k}`, tool: 'google', input: { input: query } },
    {
      type: 'tool-result',
      id: `${k}`,
      output: `The ${query} as ${noun(query.length)} and ${noun(query.length + 4)} know it`,
    },
  ];
  const looksFor = (query: (k: number) => string) => {
    const watch = createWatch({ detectors: balanced() });
    return Array.from({ length: 8 }, (_, k) => search(k, query(k)).map((event) => watch.observe(event).status)).flat();
  };
  expect(looksFor(() => 'costs of the first year')).toContain('looping');
  expect(looksFor((k) => `costs of a ${noun(k)}`)).not.toContain('looping');
});

/** A person who asks again in the same words has had an answer, and is given the same once more. */
test('balanced takes what is asked again in the same words for work, where an answer came before', () => {
  const watch = createWatch({ detectors: balanced() });
  const asked = Array.from({ length: 6 }, (_, k): readonly AgentEvent[] => [
    { type: 'prompt', text: 'Check whether the release is deployed, and tell me.' },
    { type: 'tool-call', id: `${k}`, tool: 'bash', input: { command: 'deployctl release' } },
    { type: 'tool-result', id: `${k}`, output: 'release 4.2: two of three regions' },
    { type: 'text', text: 'Two of three regions are done.' },
  ]);
  expect(asked.flatMap((events) => events.map((event) => watch.observe(event).status))).not.toContain('looping');
});

/** Calls that nobody answers beside calls that are: whose turn it is. */
test('balanced lets a signal without a result come again beside work that goes on', () => {
  const watch = createWatch({ detectors: balanced() });
  const round = (k: number): readonly AgentEvent[] => [
    { type: 'reasoning', text: `The ${noun(k)} has not been looked at yet.` },
    { type: 'tool-call', id: `a${k}`, tool: 'delegate', input: { instruction: `Look up the ${noun(k)}.` } },
    { type: 'tool-call', id: `b${k}`, tool: 'next_speaker', input: { name: 'WebSurfer' } },
    {
      type: 'tool-result',
      id: `a${k}`,
      output: `I typed ${noun(k)}: a ${noun(k + 3)}, some ${noun(k + 8)}, a ${noun(k + 11)}.`,
    },
  ];
  const statuses = Array.from({ length: 16 }, (_, k) => round(k).map((event) => watch.observe(event).status)).flat();
  expect(statuses).not.toContain('looping');
});

/** Where nobody knows what was asked, a finding has no call that a guard could refuse, wherever in the session it stands. */
test('balanced names no calls of which the arguments are not known', () => {
  const watch = createWatch({ detectors: balanced() });
  const found = Array.from({ length: 8 }, (_, k) => {
    watch.observe({ type: 'tool-call', id: `${k}`, tool: 'bash', input: null });
    const output = 'Error: the disk of the build machine is full, and nothing can be written to it.';
    const verdict = watch.observe({ type: 'tool-result', id: `${k}`, output, failed: true });
    return verdict.status === 'looping' ? verdict.findings.map(({ calls }) => calls) : [];
  });
  expect(found.flat().length).toBeGreaterThan(0);
  expect(found.flat(2)).toEqual([]);
});

/** Of the call at which it is first taken for a loop: its number, from 1; and what is said of it. */
function firstAlarm(calls: readonly Call[]): string | undefined {
  const watch = createWatch({ detectors: balanced() });
  watch.observe({ type: 'prompt', text: 'Do this for me, please.' });
  for (const [k, [tool, input, output, failed]] of calls.entries()) {
    const id = `call-${k}`;
    watch.observe({ type: 'tool-call', id, tool, input });
    const verdict = watch.observe({ type: 'tool-result', id, output, ...(failed === undefined ? {} : { failed }) });
    const finding = verdict.status === 'looping' && verdict.findings.find(({ status }) => status === 'looping');
    if (finding) return `call ${k + 1}: ${watch.explain(finding)}`;
  }
  return undefined;
}

describe('balanced lets agents work', () => {
  test.each(Object.entries(work))('%s', (_, calls) => {
    expect(firstAlarm(calls)).toBeUndefined();
  });
});

describe('balanced sees that an agent is stuck', () => {
  test.each(Object.entries(stuck))('%s', (_, calls) => {
    expect(firstAlarm(calls)).toMatch(/^call /);
  });
});
