import type { Health } from '@loopfuse/store';
import { loopKinds } from 'loopfuse';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { GatewayEvent } from '../gateway-event.js';

export interface Metrics {
  note(event: GatewayEvent): void;
  response(): Promise<Response>;
}

export interface MetricsOptions {
  readonly health?: () => Health;
}

/** Counters for Prometheus. Labels come from fixed lists, so that no client can increase their number. */
export function createMetrics({ health = () => ({ state: 'ok' }) }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'loopfuse_requests_total',
    help: 'Requests of guarded sessions, by the class of the answer',
    labelNames: ['status'],
    registers,
  });
  const findings = new Counter({
    name: 'loopfuse_findings_total',
    help: 'Loops and suspicions, each once',
    labelNames: ['kind', 'status'],
    registers,
  });
  const actions = new Counter({
    name: 'loopfuse_actions_total',
    help: 'What was done about loops',
    labelNames: ['action'],
    registers,
  });
  const tokens = new Counter({
    name: 'loopfuse_tokens_total',
    help: 'Tokens that the models reported',
    labelNames: ['type'],
    registers,
  });
  const faults = new Counter({ name: 'loopfuse_faults_total', help: 'Faults of the gateway itself', registers });
  new Gauge({
    name: 'loopfuse_store_up',
    help: '1 while sessions can be kept, 0 while this process goes on from memory',
    registers,
    collect() {
      this.set(health().state === 'ok' ? 1 : 0);
    },
  });
  // Series exist from the start, so that alerts can be defined before the first loop.
  for (const kind of Object.keys(loopKinds))
    for (const status of ['suspect', 'looping']) findings.inc({ kind, status }, 0);
  for (const action of ['steer', 'block', 'stop']) actions.inc({ action }, 0);

  return {
    note(event) {
      if (event.type === 'request') requests.inc({ status: `${Math.floor(event.status / 100)}xx` });
      else if (event.type === 'action') actions.inc({ action: event.action });
      else if (event.type === 'fault') faults.inc();
      else if (event.type === 'finding' && event.finding.again === 0)
        findings.inc({ kind: event.finding.kind, status: event.finding.status });
      else if (event.type === 'observed' && event.event.type === 'usage') {
        tokens.inc({ type: 'input' }, count(event.event.inputTokens));
        tokens.inc({ type: 'output' }, count(event.event.outputTokens));
      }
    },
    response: async () => new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } }),
  };
}

function count(tokens: number): number {
  return Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
