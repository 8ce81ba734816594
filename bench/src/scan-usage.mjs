/** Loaded into a process before its own code: writes down, when it ends, what it used. */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { LOOPFUSE_BENCH_USAGE: file } = process.env;
if (isMainThread && file !== undefined)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { wall: performance.now() / 1e3, cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 };
    writeFileSync(file, JSON.stringify(usage));
  });
