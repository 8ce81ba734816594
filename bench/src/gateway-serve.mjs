// A gateway in a process of its own. Says where it listens, and what processor time and memory it has taken when asked.
import { createGateway, listen } from '../../packages/gateway/dist/index.js';
import { openStore } from '../../packages/store/dist/index.js';

const [to, where] = process.argv.slice(2);
const upstream = new URL(to);
let actions = 0;
const gateway = createGateway({
  upstreams: { openai: upstream, anthropic: upstream, gemini: upstream },
  mostSessions: 100_000,
  onEvent(event) {
    if (event.type === 'action') actions++;
  },
  ...(where === 'memory:' ? {} : { store: await openStore(where) }),
});
const { url } = await listen(gateway.handle);
process.send({ url });
process.on('message', (word) => {
  const cpu = process.cpuUsage();
  if (word !== 'memory') return process.send({ cpu, actions });
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, used: heapUsed + external, cpu });
});
process.on('disconnect', () => process.exit(0));
