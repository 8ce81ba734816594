const agents = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'opencode', 'pi', 'cline'];
const models = ['claude-sonnet-4-5', 'gpt-5', 'gemini-2.5-pro', 'qwen3-coder', 'claude-haiku-4-5'];
const projects = ['shop', 'ledger', 'harbour', 'atlas', 'weather', 'orrery', 'minnow', 'postbox'];
const tools = ['read_file', 'bash', 'edit', 'grep', 'write_file'];
const day = 86_400_000;

/** Traces of many sessions, one in eight of which loops; the same for the same number, spread over four months. */
export function* manySessions(count) {
  const random = xorshift(count);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const end = Date.UTC(2026, 9, 31);
  for (let k = 0; k < count; k++) {
    const lines = [];
    let at = Math.floor(end - random() ** 1.5 * 120 * day);
    let id = 0;
    const add = (event) => {
      at += Math.floor(500 + random() * 4000);
      lines.push({ ...event, at });
    };
    const step = (tool, input, output, failed) => {
      add({ type: 'tool-call', id: `c${id}`, tool, input });
      add({ type: 'tool-result', id: `c${id++}`, output, ...(failed ? { failed } : {}) });
    };
    lines.push({
      loopfuse: 1,
      session: `session-${String(k).padStart(5, '0')}`,
      agent: pick(agents),
      model: pick(models),
      project: `/home/ada/code/${pick(projects)}`,
      title: `Task ${k}: ${pick(['fix', 'port', 'test', 'speed up', 'explain'])} the ${pick(projects)} ${pick(tools)}`,
    });
    add({ type: 'prompt', text: `Please look into number ${k}.` });
    const honest = 2 + Math.floor(random() * 8);
    for (let n = 0; n < honest; n++) {
      const word = Math.floor(random() * 1e9)
        .toString(36)
        .replace(/\d/g, 'q');
      step(pick(tools), { path: `src/${word}.ts` }, `export const ${word} = make('${word}', here);`);
      add({ type: 'usage', inputTokens: 2000 + Math.floor(random() * 9000), outputTokens: 150 });
    }
    if (k % 8 === 0) {
      const rounds = 6 + Math.floor(random() * 30);
      const tool = pick(tools);
      for (let n = 0; n < rounds; n++) {
        step(tool, { path: 'src/missing.ts' }, 'Error: ENOENT: no such file or directory, src/missing.ts', true);
        add({ type: 'usage', inputTokens: 9000, outputTokens: 120 });
      }
    }
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}

/** Numbers from 0 up to 1 that look random and are the same for the same seed: Marsaglia's xorshift. */
function xorshift(seed) {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
