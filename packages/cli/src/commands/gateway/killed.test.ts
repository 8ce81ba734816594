import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askModel, say, startModelServer } from '@loopfuse/model-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelProcess } from '../../../testing/model-process.js';
import { bin, cleanEnv, runLoopfuse } from '../../../testing/run-loopfuse.js';

const protocols = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
const tool = {
  name: 'read_file',
  description: '',
  takes: 'object',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
} as const;

/** The gateway as a process, before a model, with a journal. */
async function serve(upstream: string, folder: string): Promise<{ child: ChildProcess; url: string }> {
  const to = ['openai', 'anthropic', 'gemini'].flatMap((name) => ['--upstream', `${name}=${upstream}`]);
  const kept = ['--journal', join(folder, 'journal'), '--store', `disk:${join(folder, 'store')}`];
  const child = spawn(process.execPath, [bin, 'gateway', '--port', '0', ...to, ...kept], { env: cleanEnv });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8');
  while (!said.includes('loopfuse gateway at')) said += (await once(child.stderr, 'data'))[0];
  child.stderr.resume();
  return { child, url: /http:\/\/\S+?(?=,)/.exec(said)![0] };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** One request, whose answer is read; `onPiece` hears how many pieces have come. */
function ask(url: string, protocol: (typeof protocols)[number], onPiece: (count: number) => void = () => {}) {
  let pieces = 0;
  const messages = [{ role: 'user', text: 'Talk.', reasoning: '', calls: [], results: [] }] as const;
  const headers = { 'x-loopfuse-session': `session-${protocol}` };
  const onEvent = () => onPiece(++pieces);
  return askModel({ url, protocol, stream: true, messages, tools: [tool], headers, onEvent });
}

function workplace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-killed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every line of every file of the journal, parsed. Throws where one is torn. */
function journalOf(folder: string): { type?: string; session?: string; text?: string }[] {
  const journal = join(folder, 'journal');
  return readdirSync(journal, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(journal, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line));
}

function textIn(lines: ReturnType<typeof journalOf>): string {
  return lines.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('');
}

describe('kill -9 in the middle of a stream', () => {
  test.each(protocols)(
    'of the model server: a client of %s gets its error, and the journal is whole',
    async (protocol) => {
      const folder = workplace();
      const model = await startModelProcess();
      const { child, url } = await serve(model.url, folder);
      const answer = await ask(url, protocol, (count) => {
        if (count === 40) void model.kill();
      });
      expect(answer.error).toMatch(/closed the connection before its answer was complete/);
      expect(answer.broken).toBeInstanceOf(Error);
      expect(answer.text).toMatch(/^63z c7y /);
      const next = await ask(url, protocol);
      expect(next.status).toBe(502);
      expect(JSON.stringify(next.events)).toMatch(/could not be reached/);
      await end(child, 'SIGTERM');
      expect(textIn(journalOf(folder))).toBe(answer.text);
      const { code, stderr } = await runLoopfuse(['scan', join(folder, 'journal')]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  test('of the gateway: what it has seen is in the journal, and the next gateway goes on with it', async () => {
    const folder = workplace();
    const model = await startModelProcess();
    onTestFinished(() => model.kill());
    const first = await serve(model.url, folder);
    const cut = await ask(first.url, 'openai-chat', (count) => {
      if (count === 150) first.child.kill('SIGKILL');
    });
    expect(cut.broken).toBeInstanceOf(Error);
    const seen = textIn(journalOf(folder));
    expect(seen.length).toBeGreaterThan(0);
    expect(cut.text.startsWith(seen.slice(0, cut.text.length))).toBe(true);

    const other = await startModelServer({ script: () => say('It is done.') });
    onTestFinished(() => other.close());
    const second = await serve(other.url, folder);
    expect((await ask(second.url, 'openai-chat')).text).toBe('It is done.');
    await end(second.child, 'SIGTERM');
    expect(textIn(journalOf(folder))).toBe(`${seen}It is done.`);
    const { code, stdout, stderr } = await runLoopfuse(['scan', '--json', join(folder, 'journal')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});
