import { detectorLaws, session } from '@loopfuse/testkit';
import { type AgentEvent, createWatch, type Finding } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { staleRounds } from './stale-rounds.js';

const echo = (k: number) =>
  `Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\nThis is how it would have looked\n${k}:    return ${k}\n${k + 1}:\nYour changes have NOT been applied.`;
const edit = (k: number) => ({
  cmd: `edit ${40 + k}:${41 + k}\n    if value is None:\n        return default\nend_of_edit`,
});
const echoInGerman = (k: number) =>
  `Die vorgeschlagene Bearbeitung bringt neue Syntaxmängel in die Datei.\n\nMÄNGEL:\n- E999 Einrückung: unerwarteter Einzug\n\nSo hätte die Datei nach der Bearbeitung ausgesehen, wäre sie übernommen worden:\n${k}:    return ${k}\n${k + 1}:\nDie Bearbeitung wurde NICHT übernommen. Bitte den Befehl berichtigen und noch einmal versuchen, und dabei auf die Einzüge achten.`;
/** Words that share nothing. */
const word = (k: number) =>
  (Math.imul(k + 1, 2_654_435_761) >>> 0).toString(32).replace(/\d/g, (d) => 'wxyzabcdef'[+d]!);
const names = ['parser', 'lexer', 'printer', 'scanner', 'visitor', 'walker', 'binder', 'emitter'];
const page = 'Here are the same ten rows of the catalogue that every other page of it has shown as well. '.repeat(3);
const nudge = 'No tool call was found in your answer. Every answer has to contain one tool call.';

const rejectedEdits = session().repeat(4, (s, k) => s.call('edit', edit(k)).result(echo(k)));
const rejectedInGerman = session().repeat(5, (s, k) =>
  s.call('edit', { cmd: `edit 40:41\n    return ${names[k]}(value)\nend_of_edit` }).result(echoInGerman(k)),
);
const guesses = session().repeat(8, (s, k) =>
  s
    .call('sql', { query: `SELECT name FROM flights WHERE dest_${names[k]} = 'AHD'` })
    .result(`Error executing query: Unknown column 'dest_${names[k]}' in 'where clause'`),
);
const counters = session().repeat(4, (s, k) =>
  s
    .call('bash', { command: 'cd fastjson/' })
    .result(`bash: line ${41 + 4 * k}: cd: fastjson/: No such file or directory`),
);
const rounds = session().repeat(4, (s) =>
  s
    .call('open', { path: 'missing.py' })
    .fails('Error: there is no file missing.py here')
    .call('search', { query: 'missing' })
    .result('Nothing in this folder has that name, and nothing in the folders below it.'),
);
const samePage = session().repeat(7, (s, k) => s.call('fetch', { url: `https://shop.test/?page=${k}` }).result(page));
const retryIt = 'The data are not consistent at the moment: please send the very same query again to be sure.';
const sameSentence = session().repeat(9, (s, k) => s.call('lookup_hotel', { city: names[k % 8]! }).result(retryIt));
const commands = [
  'rg -n port',
  'head -60 app.ts',
  'python3 list.py',
  'wc -l *',
  'sed -n 1,9p a',
  'tail b',
  'ls -la',
  'nl c',
];
const brokenShell = session().repeat(8, (s, k) =>
  s
    .call('bash', { command: commands[k]! })
    .fails('Exit code 1\nprofile: the prompt of this shell is not set up as it should be. Put its line last.'),
);
const everyTool = session().repeat(7, (s, k) =>
  s
    .call(names[k]!, { query: commands[k]! })
    .fails('The data are not consistent at the moment: please send the same query again.'),
);
const nagged = session().repeat(5, (s) => s.prompt(nudge));
const naggedAloud = session().repeat(4, (s) => s.text('I have finished the work and everything passes.').prompt(nudge));
const unanswered = session().repeat(12, (s) => s.call('onGoalAchieved', { uri: 'wrap://user' }));
const anyLanguage = session().repeat(4, (s) =>
  s.call('exec', { befehl: 'bauen' }).result('Der Ordner ziel ist nirgends zu sehen, also wurde nichts gebaut.'),
);

/** Forty calls of one request, whose results come when all were made. */
function inOneTurn(before: ReturnType<typeof session>) {
  const seqs = Array.from({ length: 40 }, (_, k) => k);
  return [
    ...before.events,
    { type: 'turn-start' },
    ...seqs.map((k) => ({
      type: 'tool-call',
      id: `c${k}`,
      tool: 'get_issue',
      input: { repo: 'shop', number: 100 + k },
    })),
    { type: 'turn-end' },
    ...seqs.map((k) => ({
      type: 'tool-result',
      id: `c${k}`,
      output: `The ${names[k % 8]} is broken on ${names[k % 7]}.`,
    })),
  ] as AgentEvent[];
}
const samePlan = session().repeat(6, (s) =>
  s
    .call('TodoWrite', { todos: [{ content: 'Mend it', status: 'in_progress' }] })
    .result('Todos have been modified successfully.'),
);
const pendingFile = session().repeat(4, (s) =>
  s
    .call('read_file', { path: 'src/queue.ts' })
    .result(
      names
        .map((name, k) => `export const ${name} = (tasks: Task[]) => tasks.filter(${k === 4 ? 'pending' : `is${k}`});`)
        .join('\n'),
    ),
);

detectorLaws(() => staleRounds(), {
  loops: {
    'a plan that is written again and again, and not carried out': session().repeat(6, (s, k) =>
      s.call('update_plan', { plan: [{ step: names[k]! }] }).result('Plan updated'),
    ),
    'two actions in turn, told in words': session()
      .prompt('You are in a kitchen. Heat the mug.')
      .repeat(6, (s) =>
        s
          .text('Thought: The cupboard may hold it.\nAction: open the cupboard above the sink')
          .prompt('Observation: The cupboard above the sink holds three plates and a bowl of green glass.')
          .text('Thought: Back to the table.\nAction: look at the long table by the window')
          .prompt('Observation: On the long table by the window there are a vase, a newspaper and two candles.'),
      ),
    'edits that are rejected': rejectedEdits,
    'edits that are rejected, in words that we do not know': rejectedInGerman,
    'guesses at a column': guesses,
    'a counter in the error': counters,
    'a round of two calls': rounds,
    'the same page under every address': samePage,
    'one sentence for every question': sameSentence,
    'a failure that names no error, at length': brokenShell,
    'every tool fails for the same reason': everyTool,
    'a harness that refuses every answer': nagged,
    'a harness that refuses the same answer': naggedAloud,
    'calls without results and without turns': unanswered,
    'a failure in words that we do not know': anyLanguage,
    'the same plan again and again': samePlan,
    'a call that is refused again and again': session().repeat(6, (s) =>
      s.call('bash', { command: 'git push' }).fails('The user rejected this call. Do something else.'),
    ),
    'a file about things that are pending': pendingFile,
  },
  work: {
    'a review that the user asks for twice': session().repeat(2, (s) =>
      s.prompt('Review it, please.').repeat(7, (each, k) =>
        each
          .text(`Let me look at ${names[k]}.`)
          .call('read_file', { path: `src/${names[k]}.ts` })
          .result(`export const ${names[k]} = (${names[7 - k]}: string) => ${names[7 - k]};`),
      ),
    ),
    'a call that the user refuses until it is as they want it': session().repeat(6, (s, k) =>
      s
        .call('bash', { command: k < 5 ? 'git push' : 'git push --dry-run' })
        .fails('The user rejected this call.')
        .prompt(`Not yet: first mend ${names[k]}.`),
    ),
    'pages that are turned on a host without results': session().repeat(5, (s) => s.call('scroll_down', {})),
    'edits of which only the beginning is logged': session().repeat(20, (s) =>
      s.call('edit_file', '{"path":"src/orders/basket.ts","old_string":"const limi').result('The file was updated.'),
    ),
    'calls of which nobody knows what they ask, and what came of them': session().repeat(40, (s, k) =>
      s.call(['read_file', 'edit_file', 'bash'][k % 3]!, null),
    ),
    'calls of which nobody knows what they ask, some of which fail': session().repeat(20, (s, k) =>
      k % 3 === 0 ? s.call('bash', null).fails('') : s.call('read_file', null).result(''),
    ),
    'looks on a host that shows nothing of what they find': session().repeat(40, (s, k) =>
      s.call('grep', { pattern: names[k % 8]!, path: `src/${k}` }).result('ok'),
    ),
    'many calls in the first request': inOneTurn(session().prompt('Read all issues.')),
    'many calls in a later request': inOneTurn(session().call('list').result('There are forty issues, from 100 on.')),
    'a plan that is kept up to date with what is written': session().repeat(12, (s, k) =>
      s
        .text(`${names[k % 8]}: ${Array.from({ length: 60 }, (_, j) => word(60 * k + j)).join(' ')}`)
        .call('TodoWrite', { todos: [{ content: names[k % 8]!, status: k % 2 ? 'completed' : 'in_progress' }] })
        .result('Todos have been modified successfully.'),
    ),
    'the same action told in words, with another reading each time': session()
      .prompt('Heat the water and report when it boils.')
      .repeat(14, (s, k) =>
        s
          .text('Action: read the thermometer in the pot')
          .prompt(`Observation: the thermometer shows a temperature of ${11 + 6 * k} degrees`),
      ),
    'thoughts one after the other': session().repeat(12, (s, k) =>
      s.call('sequentialthinking', { thought: `${word(k)} ${word(k + 20)}`, number: k }).result('{"thoughts": 1}'),
    ),
    'a plan that is written three times before the work begins': session()
      .repeat(3, (s, k) => s.call('update_plan', { plan: [{ step: names[k]! }] }).result('Plan updated'))
      .call('read_file', { path: 'a.ts' })
      .result('export const a = 1;')
      .repeat(3, (s, k) => s.call('update_plan', { plan: [{ step: names[k + 3]! }] }).result('Plan updated')),
    'the same plan before every step of work': session().repeat(8, (s, k) =>
      s
        .call('TodoWrite', { todos: [{ content: 'Mend it', status: 'in_progress' }] })
        .result('Todos have been modified successfully.')
        .call('read_file', { path: `src/${names[k]}.ts` })
        .result(`export const ${names[k]} = (${names[7 - k]}: string) => ${names[7 - k]};`),
    ),
    'numbered files, read on a host that shows no results': session().repeat(40, (s, k) =>
      s.turn().call('read_file', { path: `src/module-${k}/part-${k % 7}.ts`, offset: k, limit: 200 }),
    ),
    'numbered files that differ in a long number alone': session().repeat(40, (s, k) =>
      s
        .call('read_file', { path: `src/module-${k}/part.ts` })
        .result(`export const value${k} = ${10_007_919 * (k + 1)};`),
    ),
    'a retry with variation that succeeds': session().repeat(5, (s, k) =>
      s
        .call('edit', edit(k))
        .result(echo(k))
        .call('edit', { cmd: `edit 7:9\nimport ${names[k]}\nend_of_edit` })
        .result(`[File: ${names[k]}.py (90 lines total)]\nFile updated.`),
    ),
    'tests after every edit': session().repeat(6, (s, k) =>
      s
        .call('edit', { path: 'a.ts', old_string: names[k]!, new_string: `${names[k]} and more` })
        .result('The file a.ts has been updated.')
        .call('bash', { command: 'npm test' })
        .result('Tests: 40 passed, 40 in all. All suites are green, and nothing was left out.'),
    ),
    'tuning: another score each time': session().repeat(10, (s, k) =>
      s
        .call('edit', { cmd: `edit 9:9\nrate: 0.${k + 1}\nend_of_edit` })
        .result(`rate: 0.${k + 1} is what the file says now`)
        .call('python', { cmd: 'python train.py' })
        .result(`Training is over after 20 epochs.\nFinal score: 0.${4711 + 97 * k}\nThe model was saved.`),
    ),
    'greps that find nothing': session().repeat(5, (s, k) =>
      s.call('bash', { command: `grep -n ${names[k]} a.ts` }).fails('Exit code 1'),
    ),
    'a server that is down for a while': session().repeat(4, (s) =>
      s.call('fetch', { url: 'x' }).fails('HTTP 503 Service Unavailable'),
    ),
    'paging with new results': session().repeat(8, (s, k) =>
      s.call('scroll_down').result(`${names[k]} is described on this page, with ${names[7 - k]} beside it, at length`),
    ),
    'many things, one acknowledgement': session().repeat(12, (s, k) =>
      s.call('cancel_order', { id: 4000 + k }).result(`Order ${4000 + k} was cancelled.`),
    ),
    'waits between looks': session().repeat(8, (s) =>
      s
        .call('bash', { command: 'sleep 30' })
        .result('')
        .call('kubectl', { args: 'get pods' })
        .result('web-7d9f   0/1   ContainerCreating   0   2m'),
    ),
    'a person who asks again': session().repeat(4, (s, k) =>
      s
        .prompt(`${names[k]}: who is on call this week?`)
        .call('get_oncall', { rotation: 'platform' })
        .result('{"primary": "Noor", "secondary": "Ines", "until": "Monday at nine"}'),
    ),
    'a harness whose nudges help': session().repeat(6, (s, k) =>
      s
        .prompt(nudge)
        .call('read', { path: `${names[k]}.ts` })
        .result(`the source of the ${names[k]}`),
    ),
    'moves that are acknowledged, with a clock': session().repeat(24, (s, k) => {
      const time = `[2026-03-04T09:00:${10 + k}Z]`;
      return s
        .call('move_forward', { metres: 0.5 })
        .result(`${time} request ${(0x538453d7 + 7919 * k).toString(16)}\nok\n${time} done in ${k % 7}.2s`);
    }),
    'dice, asked for': session().repeat(12, (s, k) => s.call('roll_dice', { sides: 6 }).result(`${(k * 5) % 6}`)),
    'twins in one request': session()
      .repeat(5, (s) => s.call('read', { path: 'a' }))
      .repeat(5, (s) => s.result('the same long contents of the file a, five times')),
  },
  stateBytes: 12_000,
});

describe('stale-rounds', () => {
  const findings = ({ events }: { readonly events: Parameters<typeof play>[0] }) => play(events);
  const first = (scene: Parameters<typeof findings>[0]): Finding =>
    findings(scene).find(({ status }) => status === 'looping')!;

  test('is sure at the third round where every round is the very same failure', () => {
    const same = session().repeat(5, (s) =>
      s.call('open', { path: 'x' }).fails('Error: there is no file of that name'),
    );
    expect(first(same)).toMatchObject({ seq: 5, onset: 2, evidence: { times: 3, verbatim: 3 } });
  });

  test('is sure at the third round of the very same failure, though the user spoke in between', () => {
    const asked = session().repeat(3, (s, k) =>
      s
        .prompt(`${names[k]} is what the letter says.`)
        .call('get_booking', { id: 'IFOYFZ' })
        .fails('Error: there is no booking of that name'),
    );
    expect(first(asked)).toMatchObject({ kind: 'repeated-failure', seq: 8, evidence: { times: 3, verbatim: 3 } });
  });

  test('is sure at the third time that the very same change is made, whatever the file looks like by then', () => {
    const shown = (lines: number) =>
      `[File: a.ts (${lines} lines total)]\n${names.map((name, k) => `${lines + k}: import { ${name} } from './${names[(k + lines) % 8]}';`).join('\n')}`;
    const again = session().repeat(3, (s, k) => s.call('edit', edit(1)).result(shown(40 + 9 * k)));
    expect(first(again)).toMatchObject({ kind: 'repeated-calls', seq: 5 });
    const mended = session()
      .call('edit', edit(1))
      .fails(echo(1))
      .call('edit', edit(1))
      .fails(echo(2))
      .call('edit', edit(1))
      .result(shown(40));
    expect(first(mended)).toBeUndefined();
  });

  test('is sure sooner of one error after the other than of the same error between things that work', () => {
    const query = (k: number) => ({ query: `SELECT ${names[k]} FROM students WHERE ${names[7 - k]} IS NOT NULL` });
    const missing = "Error executing query: Table 'school.students' doesn't exist";
    const streak = session().repeat(8, (s, k) => s.call('sql', query(k)).result(missing));
    const between = session().repeat(8, (s, k) =>
      s
        .call('sql', query(k))
        .result(missing)
        .call('sql', { query: `DESCRIBE ${names[k]}` })
        .result(`${names[k]}: the ${names[7 - k]} of it, its length, and when it was written`),
    );
    expect(first(streak)).toMatchObject({ onset: 2, evidence: { times: 4 } });
    expect(first(between).evidence).toMatchObject({ times: 5 });
  });

  test('is sure at the fourth question in other words that brings the same long answer', () => {
    const asked = session().repeat(7, (s, k) =>
      s.call('search_papers', { query: `${names[k]} ${names[(k + 3) % 8]} reservoir networks` }).result(page),
    );
    expect(first(asked)).toMatchObject({ kind: 'same-outcome', evidence: { times: 4 } });
  });

  test('a host that has never shown a result is not waited for', () => {
    const silent = session()
      .call('learn', { name: 'files' })
      .text('That is what I need. The goal is achieved.')
      .repeat(4, (s) => s.call('goal_achieved', { uri: 'wrap://user' }));
    expect(first(silent)).toMatchObject({ seq: 4, onset: 3, evidence: { times: 3 } });
  });

  test('a hand-over between pieces of work, and a look at each new position, are no rounds', () => {
    const handovers = session().repeat(6, (s, k) =>
      s
        .call('transfer_to_research', {})
        .result('Successfully transferred to research')
        .call('web_search', { query: `${names[k]} revenue` })
        .result(`${names[k]} made ${k + 3}.4 million with ${names[(k + 2) % 8]} and ${names[(k + 5) % 8]}`)
        .call('transfer_back', {})
        .result('Successfully transferred back to supervisor'),
    );
    expect(findings(handovers).filter(({ status }) => status === 'looping')).toEqual([]);
    const nothingBetween = session().repeat(4, (s) =>
      s.call('transfer_back', {}).result('Successfully transferred back to supervisor'),
    );
    expect(first(nothingBetween)).toMatchObject({ onset: 2, evidence: { times: 3 } });
  });

  test('takes longer the more the calls differ, and the less their outcome proves', () => {
    const at = (scene: Parameters<typeof findings>[0]) => first(scene).seq;
    const failing = (command: (k: number) => string) =>
      session().repeat(12, (s, k) => s.call('bash', { command: command(k) }).fails('Error: the disk is not mounted'));
    expect(at(failing(() => 'make all'))).toBeLessThan(
      at(failing((k) => `make all the targets of this project but ${names[k % 8]}`)),
    );
    expect(at(failing((k) => `make all the targets of this project but ${names[k % 8]}`))).toBeLessThanOrEqual(
      at(failing((k) => `${names[k % 8]} --${names[(k + 3) % 8]}`)),
    );
  });

  test('counts the calls of one request as one round', () => {
    const batch = session().repeat(2, (s) =>
      s
        .text('All three at once.')
        .repeat(3, (t, k) => t.call('edit', { path: `${names[k]}.ts`, old_string: 'a', new_string: 'b' }))
        .repeat(3, (t) => t.fails('Error: the text to replace was not found in the file')),
    );
    expect(findings(batch)).toEqual([]);
  });

  test('takes the very same call that fails once more for another try, though nothing was said in between', () => {
    const silent = session()
      .repeat(3, (s, k) =>
        s
          .text(`Now ${names[k]}.`)
          .call('open', { path: `${names[k]}.ts` })
          .result(`export const ${names[k]} = ${k};`),
      )
      .text('And down.')
      .repeat(3, (s) =>
        s.call('page_down', { '': '' }).fails("TypeError: forward() got an unexpected keyword argument ''"),
      );
    expect(first(silent)).toMatchObject({ kind: 'repeated-failure', evidence: { times: 3 } });
  });

  describe('work that takes effect and changes nothing', () => {
    const failure = "TypeError: Cannot read properties of undefined (reading 'total')";
    const change = (s: ReturnType<typeof session>, k: number) =>
      s
        .call('edit', {
          path: 'a.ts',
          old_string: `${names[k % 8]} ${'x'.repeat(k)}`,
          new_string: `${names[(k + 1) % 8]}${k}`,
        })
        .result(`The file a.ts has been updated: ${names[k % 8]}.`);
    const check = (s: ReturnType<typeof session>) => s.call('bash', { command: 'npm test' });
    const statuses = (one: ReturnType<typeof session>) => findings(one).map(({ status }) => status);

    test('is a suspicion when the same check fails alike for the third time, and a loop at the fourth', () => {
      const seen = findings(session().repeat(4, (s, k) => check(change(s, k)).fails(failure)));
      expect(seen).toMatchObject([
        { kind: 'stall', status: 'suspect', seq: 11, evidence: { type: 'futile', times: 3 } },
        { kind: 'stall', status: 'looping', seq: 15, evidence: { type: 'futile', times: 4 } },
      ]);
      expect(createWatch({ detectors: [staleRounds()] }).explain(seen[1]!)).toBe(
        `bash has failed 4 times with the same error, “${failure}”, whatever was changed in between.`,
      );
    });

    test('may be more than that where the check once said something else, or somebody waited or asked again', () => {
      const now = (k: number) => `AssertionError: expected ${names[k]} to be the ${names[k + 1]} of the order`;
      const turns = session().repeat(6, (s, k) => check(change(s, k)).fails(k % 2 === 0 ? failure : now(k)));
      expect(statuses(turns)).not.toContain('looping');
      const passes = session().repeat(6, (s, k) =>
        k % 2 === 0 ? check(change(s, k)).fails(failure) : check(change(s, k)).result('24 tests of the order passed'),
      );
      expect(statuses(passes)).not.toContain('looping');
      const asked = session().repeat(6, (s, k) => check(change(s.prompt('Once more'), k)).fails(failure));
      expect(statuses(asked)).not.toContain('looping');
      const waited = session().repeat(6, (s, k) =>
        check(change(s, k).call('bash', { command: 'sleep 30' }).result('')).fails(failure),
      );
      expect(statuses(waited)).not.toContain('looping');
    });

    test('takes longer to tell where the failure says little or is of the surroundings', () => {
      const little = session().repeat(8, (s, k) => check(change(s, k)).fails('Error: 3 tests failed'));
      expect(statuses(little)).not.toContain('looping');
      const busy = session().repeat(8, (s, k) =>
        check(change(s, k)).fails('HTTP 503 Service Unavailable: the registry of the packages is busy'),
      );
      expect(statuses(busy)).not.toContain('looping');
      expect(statuses(session().repeat(16, (s, k) => check(change(s, k)).fails('Error: 3 tests failed')))).toContain(
        'looping',
      );
    });

    test('is none where an edit shows the part of the file that it has changed', () => {
      const lines = Array.from({ length: 40 }, (_, n) => `${n}: the ${names[n % 8]} of line ${word(n)} as it was`);
      const edited = (k: number) =>
        session().repeat(k, (s, n) =>
          check(
            s
              .call('edit', { cmd: `edit 7:9 ${word(n + 50)} ${word(n + 60)} and the total of ${word(n + 70)}` })
              .result(lines.with(7, `7: ${word(n + 50)}`).join('\n')),
          ).fails(failure),
        );
      expect(statuses(edited(3))).not.toContain('looping');
      expect(statuses(edited(4))).toContain('looping');
    });
  });

  test('takes what a look showed before for no news, though it showed something else in between', () => {
    const ask = (s: ReturnType<typeof session>) => s.call('search', { query: 'Lisbon, Prague, Osaka' });
    const turned = page.split(' ').reverse().join(' ');
    const found = (...results: readonly string[]) =>
      results.reduce(
        (s, one) => (one === '' ? ask(s).fails('HTTP Error 429: Too Many Requests') : ask(s).result(one)),
        session(),
      );
    const turning = found(page, '', page, turned, page, page, turned, page);
    expect(first(turning)).toMatchObject({ status: 'looping' });
    expect(first(found(page, '', page, page))).toMatchObject({ status: 'looping' });
    const moving = session().repeat(12, (s, k) =>
      s
        .call('search', { query: 'Lisbon, Prague, Osaka' })
        .result(`${names[k % 8]} ${names[(3 * k) % 7]} `.repeat(k + 9)),
    );
    expect(first(moving)).toBeUndefined();
  });

  test('is sure one answer sooner where the messages that get it say much the same', () => {
    const answer = 'There is no code in the last message that could be run. Somebody else should speak next.';
    const chat = (...messages: readonly string[]) =>
      messages.reduce(
        (s, said, k) => s.text(said).add({ type: 'tool-result', id: `r${k}`, output: answer }),
        session(),
      );
    const asked = chat(
      'Please share the code that leads to the error, so that we can analyse what is wrong with it.',
      'Please share the code that leads to the error, and then we can analyse what is wrong.',
      'To analyse what is wrong, please share the code that leads to the error with us.',
    );
    expect(first(asked)).toMatchObject({ evidence: { tool: 'message', times: 3 } });
    const others = [
      'The route is 3,200 miles long.',
      'A bottle brings a dime back.',
      'That makes sixteen dollars in all.',
    ];
    expect(first(chat(...others))).toBeUndefined();
    expect(first(chat(...others, 'Which states pay a deposit at all?'))).toMatchObject({ evidence: { times: 4 } });
  });

  test('does not take the silence of a host without results for an answer that comes back for everything', () => {
    const post = (s: ReturnType<typeof session>) => s.turn().call('http.post', { url: 'http://books.test/33' });
    const other = (s: ReturnType<typeof session>, k: number) => s.turn().call('learn', { name: names[k]! });
    const mute = [0, 1].reduce((s, k) => other(post(other(s, k)), k + 2), session());
    expect(first(post(post(mute)))).toMatchObject({ evidence: { unseen: true, verbatim: 4 } });
  });

  test('is sure of a long way round in half the steps where the model thinks the very same on it', () => {
    const way = (thought: (k: number, round: number) => string) =>
      session().repeat(20, (s, k) =>
        s
          .think(thought(k % 8, Math.floor(k / 8)))
          .call('open', { path: `src/${names[k % 8]}/${names[(3 * k) % 8]}.ts` })
          .result(
            [1, 3, 5, 7]
              .map((n) => `${names[(k + n) % 8]} ${names[(n * k) % 8]} ${'abcdefgh'[k % 8]!.repeat(n)}`)
              .join('\n'),
          ),
      );
    const same = (k: number) => `Now that this is known, the next thing to look at is the ${names[k]} of this project.`;
    const others = (k: number, round: number) => `${same(k)} That makes ${'I'.repeat(round + 1)}.`;
    const at = (of: ReturnType<typeof way>) => findings(of).find(({ status }) => status === 'looping')!.seq;
    const [soon, late] = [at(way(same)), at(way(others))];
    expect([Math.floor(soon / 3) - 7, Math.floor(late / 3) - 7]).toEqual([5, 9]);
  });

  test('is sure at last of searches that find nothing, and sooner of those that take words up again', () => {
    const unlike = (s: ReturnType<typeof session>, k: number) =>
      s
        .text(`Perhaps there is something in ${word(k + 40)}.`)
        .call('find', { cmd: `${word(k + 500)} ${word(k + 900)} ${word(k + 1300)}` })
        .result('');
    const alike = (s: ReturnType<typeof session>, k: number) =>
      s
        .text(`Perhaps there is something about the ${names[k % 8]} elsewhere.`)
        .call('find', { cmd: `find /${names[k % 7]} -name "${names[k % 8]}_${names[(k * 3) % 5]}*"` })
        .result('');
    // A host that has shown something shows that there is nothing.
    const begun = () => session().call('bash', { command: 'node -v' }).result('This is Node in version 20 of it.');
    const vain = first(begun().repeat(20, unlike));
    expect(vain.evidence).toMatchObject({ type: 'vain', times: 13 });
    expect(createWatch({ detectors: [staleRounds()] }).explain(vain)).toMatch(/^Of late, 13 searches found nothing/);
    expect(first(begun().repeat(12, unlike))).toBeUndefined();
    expect(first(begun().repeat(20, alike)).evidence).toMatchObject({ type: 'vain', times: 8 });
    const finding = (...at: number[]) =>
      session().repeat(40, (s, k) =>
        at.includes(k)
          ? s
              .call('find', { cmd: `find ${k}` })
              .result([700, 800, 900].map((n) => `${word(k + n)}/${word(2 * k + n)}.ts`).join('\n'))
          : unlike(s, k),
      );
    expect(first(finding(5, 11, 17, 23, 29, 35))).toBeUndefined();
    expect(first(finding(11))).toMatchObject({ kind: 'stall', evidence: { type: 'vain' } });
  });

  test('tells a search for one thing in other words from checks of one name after the other', () => {
    const times = (pattern: (k: number) => string) => {
      const begun = session().call('bash', { command: 'node -v' }).result('This is Node in version 20 of it.');
      const looked = begun.repeat(24, (s, k) =>
        s
          .text(`Perhaps ${word(k + 40)}.`)
          .call('grep', { pattern: pattern(k), path: 'src/core/engine' })
          .result('No matches found'),
      );
      return (first(looked).evidence as { times: number }).times;
    };
    const topics = ['build', 'setup', 'environment', 'install', 'maven', 'java'];
    const checks = times((k) => word(k + 500));
    const words = times((k) => `${topics[k % 6]} ${topics[(k * k + 1 + (k >> 2)) % 6]} ${word(k + 900)}`);
    expect(words).toBeLessThan(checks);
    expect(checks).toBeGreaterThanOrEqual(12);
  });

  describe('changes that show the file', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${n}: the ${names[n % 8]} of line ${word(n)} as it was`);
    const shown = (k: number) => lines.with(7, `7: ${word(k + 50)}`).join('\n');
    const replace = (s: ReturnType<typeof session>, from: number, to: number, k: number) =>
      s.call('edit', { cmd: `edit ${from}:${to}\n${word(k + 50)} and what belongs to the line` }).result(shown(k));

    test('took effect the first time, so that it takes a fourth where they are not all the very same', () => {
      const varied = (rounds: number) =>
        [3, 2, 2, 2].slice(0, rounds).reduce((s, to) => replace(s, 1, to, 0), session());
      expect(first(varied(3))).toBeUndefined();
      expect(first(varied(4))).toMatchObject({ seq: 7, evidence: { verbatim: 3 } });
    });

    test('have changed it where it shows again what it was before the last one', () => {
      const failure = "ModuleNotFoundError: No module named 'torch._C' in the environment of this project";
      const run = (s: ReturnType<typeof session>) => s.call('python', { cmd: 'python baseline.py' }).fails(failure);
      const begun = () => run(run(replace(replace(session(), 1, 2, 1), 1, 2, 2)));
      const restore = { cmd: `edit 5:9\nthe former ${word(700)} and ${word(701)}, with ${word(702)} for it` };
      expect(first(run(begun().call('edit', restore).result(shown(1))))).toBeUndefined();
      const refused = begun().call('edit', restore).result(shown(2));
      expect(first(run(refused))).toMatchObject({ kind: 'repeated-failure', evidence: { times: 3 } });
    });
  });

  test('takes the same words, set in another way, for nearly the same call', () => {
    const body = Array.from({ length: 12 }, (_, n) => `${word(n)} = ${word(n + 20)}(${word(n + 40)})`);
    const set = (k: number) => body.join(['\n    ', '\n  ', ';\n', '\n'][k]);
    const other = (k: number) => body.with(k, `${word(k + 80)} = ${word(k + 90)}`).join('\n    ');
    const refused = (text: (k: number) => string) => {
      const edits = session().repeat(4, (s, k) =>
        s
          .call('edit', { path: 'a.py', old_string: 'pass', new_string: text(k) })
          .fails('E111 indentation is not a multiple of four in line 41 of the file'),
      );
      return first(edits).evidence as { times: number; verbatim: number; support: number };
    };
    expect(refused(set)).toMatchObject({ times: 4, verbatim: 1 });
    expect(refused(set).support).toBeGreaterThan(refused(other).support + 0.3);
  });

  describe('a change that is made again after it was taken back', () => {
    const pin = (s: ReturnType<typeof session>, from: string, to: string) =>
      s.call('edit_file', { path: 'package.json', old: `"plot": "${from}"`, new: `"plot": "${to}"` }).result('Edited.');
    const inTurn = (build: (s: ReturnType<typeof session>, k: number) => ReturnType<typeof session>) =>
      session().repeat(7, (s, k) => {
        const pinned = k % 2 === 0 ? pin(s, '4.2.0', '5.0.1') : pin(s, '5.0.1', '4.2.0');
        const pushed = pinned.call('push', { message: word(k) }).result(`[charts ${word(k + 90)}] ${word(k + 30)}`);
        return build(pushed, k)
          .call('note_of', { about: word(k + 60) })
          .result(`${word(k + 70)} ${word(k + 80)}`);
      });
    const errors = ['the bindings need version 5 of the library', 'the function was removed in version 5 of it'];

    test('is a loop the third time, where something failed each time, whatever else was done', () => {
      const failing = inTurn((s, k) => s.call('wait_for_run', { run: 4000 + 7 * k }).fails(errors[(k + 1) % 2]!));
      const seen = first(failing);
      expect(seen).toMatchObject({ kind: 'oscillation', evidence: { type: 'undone', times: 3 } });
      expect([seen.onset, seen.seq]).toEqual([16, 33]);
      expect(createWatch({ detectors: [staleRounds()] }).explain(seen)).toBe(
        'The same change of package.json was made 3 times with edit_file, and undone in between.',
      );
    });

    test('is none where nothing fails: who measures switches to and fro', () => {
      const measured = inTurn((s, k) => s.call('bench', {}).result(`${200 + ((k * 37) % 11)} rows in a second`));
      expect(findings(measured)).toEqual([]);
    });
  });

  test('is sure at the fourth time of a failure that comes back for other numbers, whatever lies between', () => {
    const aligned = (rounds: number) =>
      session().repeat(rounds, (s, k) =>
        s
          .call('write_file', { path: 'recipe.txt', content: word(k) })
          .result(`${word(k + 20)} ${word(k + 40)}`)
          .call('align', { x: 41 + k / 8, y: 17 - k / 4 })
          .fails('there is no mark of this recipe in the field of the fine camera'),
      );
    expect(findings(aligned(3)).filter(({ status }) => status === 'looping')).toEqual([]);
    expect(findings(aligned(4)).find(({ status }) => status === 'looping')).toMatchObject({
      kind: 'stall',
      seq: 15,
      evidence: { type: 'futile', tool: 'align' },
    });
  });

  test('is sure at the third time that a check fails in a way known before, though two take turns', () => {
    const checked = (rounds: number) =>
      session().repeat(rounds, (s, k) =>
        s
          .call('edit_file', { path: 'setup.toml', old: word(k), new: word(k + 1) })
          .result('Edited.')
          .call('bash', { command: 'serve --once' })
          .fails(
            k % 2 === 0
              ? 'SettingsError: the alias of a field is taken twice in this version'
              : 'ImportError: there is no name like that in the package of version one',
          ),
      );
    expect(findings(checked(4)).filter(({ status }) => status === 'looping')).toEqual([]);
    expect(findings(checked(5)).find(({ status }) => status === 'looping')).toMatchObject({
      seq: 19,
      evidence: { type: 'futile', tool: 'bash' },
    });
  });

  test('takes a check of what was made anew in between for the same check, though its name is another', () => {
    const pods = ['7d4b9c-x2vbq', '5f8c7b-m4wtk', '78b6f4-c9hjn', '54c8bd-q2xfd', '6a1d0c-zr8lp'];
    const log = (s: ReturnType<typeof session>, k: number) =>
      s
        .call('kubectl', { args: `-n pier logs ledger-${pods[k]} --previous --tail=3 --all-containers` })
        .result(
          `2025-11-01T08:0${k}:12Z INFO ledger starting\npanic: ledger: password authentication failed for the user pier`,
        );
    const restarted = session().repeat(5, (s, k) =>
      log(
        s
          .call('kubectl', { args: '-n pier rollout restart deploy/ledger' })
          .result('deployment.apps/ledger restarted')
          .call('kubectl', { args: '-n pier get pods -l app=ledger' })
          .result(`NAME READY STATUS\nledger-${pods[k]} 0/1 CrashLoopBackOff`),
        k,
      ),
    );
    expect(findings(restarted).find(({ status }) => status === 'looping')).toMatchObject({
      evidence: { type: 'futile', times: 4 },
    });
    const looked = session().repeat(5, log);
    expect(findings(looked).filter(({ evidence }) => (evidence as { type: string }).type === 'futile')).toEqual([]);
  });

  test('is sure of what fails in the same way after each wait, but later; not where the surroundings fail', () => {
    const clicked = (rounds: number, error: string) =>
      session().repeat(rounds, (s) =>
        s
          .call('browser_click', { element: 'Reserve', ref: 'e38' })
          .fails(error)
          .call('browser_wait_for', { time: 3 })
          .result('Waited for 3 seconds.'),
      );
    const covered = 'Error: the click did not go through: a dialog of the page intercepts pointer events';
    expect(findings(clicked(5, covered)).filter(({ status }) => status === 'looping')).toEqual([]);
    expect(findings(clicked(6, covered)).find(({ status }) => status === 'looping')).toMatchObject({
      kind: 'repeated-failure',
      seq: 21,
    });
    const busy = 'Error: 503 from the page: the service is unavailable for the time being, and asks for some patience';
    expect(findings(clicked(7, busy)).filter(({ status }) => status === 'looping')).toEqual([]);
  });

  test('takes tests of which fewer fail each time for work, and for none where as many do', () => {
    const failing = (fails: (k: number) => number) =>
      session().repeat(6, (s, k) =>
        s
          .call('write_file', { path: 'rates.go', content: 'func rate() {}' })
          .result('Wrote rates.go.')
          .call('bash', { command: 'go test ./...' })
          .fails(
            `--- FAIL: TestRates\n${Array.from({ length: fails(k) }, (_, n) => `    want ${word(n)} and got ${word(n + 40)}`).join('\n')}`,
          ),
      );
    expect(findings(failing((k) => 14 - 2 * k)).filter(({ status }) => status === 'looping')).toEqual([]);
    expect(findings(failing(() => 14)).some(({ status }) => status === 'looping')).toBe(true);
  });

  test('knows a search in other words by what it brings, though that speaks of the words', () => {
    const terms = [
      'warranty motor fan',
      'installer certificate warranty',
      'fan cover of the unit',
      'motor terms',
      'terms of cover',
    ];
    const chunks = Array.from(
      { length: 5 },
      (_, n) =>
        `The warranty covers the ${word(n)}, the fan and the motor of the unit, where the installer has a certificate for ${word(n + 9)}.`,
    );
    const searched = session().repeat(5, (s, k) =>
      s
        .call('retrieve_docs', { query: terms[k]! })
        .result([...chunks.slice(k % 2), ...chunks.slice(0, k % 2)].join('\n')),
    );
    expect(findings(searched).some(({ status }) => status === 'looping')).toBe(true);
  });

  test('takes other numbers with another answer for another page, but not where the very same is thought', () => {
    const view = (k: number) => `${page} ${Array.from({ length: 16 }, (_, n) => 100 + n + (n < 3 ? k : 0)).join(' ')}`;
    const turned = (thought: (k: number) => string) =>
      session().repeat(5, (s, k) =>
        s
          .think(thought(k))
          .call('pick', { row: 40 + k })
          .result(view(7 * k)),
      );
    const same = 'The row is chosen now, and what belongs to it has to be read before the next one is chosen.';
    expect(findings(turned(() => same))[0]).toMatchObject({ kind: 'same-outcome', status: 'looping' });
    expect(findings(turned((k) => `${same} It is ${word(k)}.`))).toEqual([]);
  });

  test('tells results that are numbers in the main apart by their numbers', () => {
    const rows = (k: number) =>
      Array.from({ length: 12 }, (_, n) => 180 + ((k * 7919 + n * 104729) % 70_000)).join(', ');
    const handed = (output: (k: number) => string) =>
      session().repeat(6, (s, k) =>
        s
          .call('to_reader')
          .result('Handed over to the reader.')
          .call('sql', { query: `SELECT visitors FROM counts WHERE branch = '${names[k]}'` })
          .result(output(k))
          .call('back')
          .result('Handed back to supervisor.'),
      );
    const looping = (of: ReturnType<typeof handed>) => findings(of).some(({ status }) => status === 'looping');
    expect(looping(handed(rows))).toBe(false);
    expect(looping(handed(() => rows(1)))).toBe(true);
  });

  test('is sure of a harness that refuses the third message, where two say much the same', () => {
    const nagging = session()
      .text('The work is done: the parser reads all of the files, and every test of it passes now.')
      .prompt(nudge)
      .text('The work is done now: the parser reads all of the files, and every test of it passes.')
      .prompt(nudge)
      .text('As said, the work is done: the parser reads all files, and every test of it passes now.')
      .prompt(nudge);
    expect(first(nagging)).toMatchObject({ seq: 5, evidence: { tool: 'message', times: 3 } });
  });

  test('says what repeats, in a sentence', () => {
    const { explain } = createWatch({ detectors: [staleRounds()] });
    expect(explain(first(counters))).toBe(
      'The call bash (cd fastjson/) was made 3 times in a row, with the same failure each time.',
    );
    expect(explain(first(everyTool))).toMatch(
      /^\w+ and other tools have failed 6 times with the same error, “The data/,
    );
    expect(explain(first(nagged))).toContain('messages in a row were answered with the same “No tool call was found');
    expect(explain(first(samePage))).toMatch(
      /^fetch was asked in \d ways, last \(https:.*\), and gave the same result/,
    );
    expect(explain(first(unanswered))).toBe(
      'The call onGoalAchieved (wrap://user) was made 3 times in a row, without a result that we could see.',
    );
  });

  test('refuses options that make no sense, quoting them', () => {
    expect(() => staleRounds({ times: 1 })).toThrow('staleRounds: times must be a number from 2 to 100, got 1');
  });
});

function play(events: readonly Parameters<ReturnType<typeof createWatch>['observe']>[0][]): Finding[] {
  const watch = createWatch({ detectors: [staleRounds()] });
  return events.flatMap((event) => {
    const verdict = watch.observe(event);
    return verdict.status === 'clear' ? [] : [...verdict.findings];
  });
}
