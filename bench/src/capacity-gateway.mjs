/** One gateway in a process of its own. Its parent asks it what it has used. */
import { createGateway, listen } from '../../packages/gateway/dist/index.js';
import { openStore } from '../../packages/store/dist/index.js';

const [upstream, store, onLoop] = process.argv.slice(2);
let faults = 0;
const to = new URL(upstream);
const gateway = createGateway({
  upstreams: { openai: to, anthropic: to, gemini: to },
  store: await openStore(store, {
    onFault: () => {
      faults++;
    },
  }),
  onLoop,
});
const listener = await listen(gateway.handle);
process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage();
    process.send({ usage: { cpuMs: (user + system) / 1_000, rss: process.memoryUsage().rss, faults } });
  }
});
process.on('disconnect', () => process.exit());
process.send({ url: listener.url });
