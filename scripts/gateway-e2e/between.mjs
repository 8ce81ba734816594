// Stands between `loopfuse run` and the agent: started in the agent's name, it puts a recorder before the gateway, points the
// agent at it wherever `run` has put the gateway's address, runs the agent, and writes down what went by.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRecorder } from './recorder.mjs';

const [, , real, record, ...args] = process.argv;
const address = /http:\/\/127\.0\.0\.1:\d+(?=\/m\d)/;
const files = [
  process.env.PI_CODING_AGENT_DIR && join(process.env.PI_CODING_AGENT_DIR, 'models.json'),
  args.includes('--data-dir') && join(args[args.indexOf('--data-dir') + 1], 'settings/providers.json'),
].filter((file) => file && existsSync(file) && !lstatSync(file).isSymbolicLink());
const texts = [...args, ...Object.values(process.env), ...files.map((file) => readFileSync(file, 'utf8'))];
const [gateway] = texts.flatMap((text) => address.exec(text)?.[0] ?? []);
if (gateway === undefined) throw new Error('loopfuse run has not pointed the agent at a gateway');

const recorder = await startRecorder(gateway);
const moved = (text) => text.replaceAll(gateway, recorder.url);
for (const file of files) writeFileSync(file, moved(readFileSync(file, 'utf8')));
const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, moved(value)]));
const child = spawn(real, args.map(moved), { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (cause) => {
  console.error(cause.message);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  writeFileSync(record, JSON.stringify(recorder.exchanges));
  process.exit(code ?? (signal === 'SIGTERM' ? 143 : 1));
});
