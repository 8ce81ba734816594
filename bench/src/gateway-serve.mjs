// A gateway in a process of its own. Says where it listens, and what memory it takes when asked.
import { createGateway, listen } from '../../packages/gateway/dist/index.js';

const upstream = new URL(process.argv[2]);
const gateway = createGateway({
  upstreams: { openai: upstream, anthropic: upstream, gemini: upstream },
  mostSessions: 100_000,
});
const { url } = await listen(gateway.handle);
process.send({ url });
process.on('message', (word) => {
  if (word !== 'memory') return;
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, used: heapUsed + external, cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit(0));
