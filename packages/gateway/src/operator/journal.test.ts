import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createJournal } from './journal.js';

const session = { key: 'k', name: 'one', agent: 'a', model: 'm' };
const at = Date.UTC(2026, 0, 2);

/** Notes texts as one gateway after the other; `between` is what happens to the file meanwhile. */
async function written(texts: readonly string[], between: (file: string) => void = () => {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const faults: string[] = [];
  const file = () => join(folder, '2026-01-02', readdirSync(join(folder, '2026-01-02'))[0]!);
  for (const [k, text] of texts.entries()) {
    if (k > 0) between(file());
    const journal = createJournal({ folder, onFault: (message) => faults.push(message) });
    journal.note({ type: 'observed', session, event: { type: 'text', text } }, at);
    journal.note({ type: 'observed', session, event: { type: 'turn-end' } }, at);
    await journal.close();
  }
  expect(faults).toEqual([]);
  return readFileSync(file(), 'utf8').split('\n');
}

const head = JSON.stringify({ loopfuse: 1, session: 'one', agent: 'a', model: 'm' });
const line = (text: string) => JSON.stringify({ type: 'text', text, at });
const end = JSON.stringify({ type: 'turn-end', at });

test('a gateway that is started again goes on with the session that the one before has begun', async () => {
  expect(await written(['first', 'second'])).toEqual([head, line('first'), end, line('second'), end, '']);
});

test('a line that was torn when the gateway was killed takes no other line with it', async () => {
  const torn = '{"type":"text","te';
  const lines = await written(['first', 'second'], (file) => appendFileSync(file, torn));
  expect(lines).toEqual([head, line('first'), end, torn, line('second'), end, '']);
});

test('a disk that fails is one fault, however much is noted, and so is its recovery; a line that it tore takes no other line with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const faults: string[] = [];
  const day = join(folder, '2026-01-02');
  const onRecovery = () => void faults.push('written again');
  const journal = createJournal({ folder, onFault: (message) => faults.push(message), onRecovery });
  const note = async (text: string) => {
    journal.note({ type: 'observed', session, event: { type: 'text', text } }, at);
    await journal.close();
  };
  await note('first');
  renameSync(day, `${day}.away`);
  writeFileSync(day, '');
  for (const text of ['lost', 'lost', 'lost']) await note(text);
  expect(faults).toEqual([expect.stringMatching(/^the journal could not be written: .*left out until it can be$/)]);
  rmSync(day);
  renameSync(`${day}.away`, day);
  const file = join(day, readdirSync(day)[0]!);
  const torn = '{"type":"text","te';
  appendFileSync(file, torn);
  await note('second');
  expect(readFileSync(file, 'utf8').split('\n')).toEqual([head, line('first'), torn, line('second'), '']);
  expect(faults.slice(1)).toEqual(['written again']);
  rmSync(day, { recursive: true });
  writeFileSync(day, '');
  await note('lost');
  expect(faults).toHaveLength(3);
});
