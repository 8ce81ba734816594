import { createPrices } from '@loopfuse/prices';
import type { Health } from '@loopfuse/store';
import type { Exemption, Release } from 'loopfuse';
import { decoded } from '../decoded.js';
import type { Gateway } from '../gateway.js';
import type { GatewayEvent } from '../gateway-event.js';
import type { Handler } from '../listen.js';
import { createJournal } from './journal.js';
import type { Live, LiveSession } from './live.js';
import { createMetrics } from './metrics.js';
import { pageAccess } from './page-access.js';
import { recentEvents } from './recent-events.js';

export interface OperatorOptions {
  /** The live page, with `loopfuse-page-secret` in the place of its secret. Without a page, `/` is passed on. */
  readonly page?: string | undefined;
  /** The token of the gateway, if it has one. */
  readonly token?: string | undefined;
  /** The folder for traces of what is observed. They hold the content of sessions. */
  readonly journal?: string | undefined;
  readonly health?: () => Health;
  readonly onFault?: (message: string, cause: unknown) => void;
  /** Called when the journal can be written again after a failure. */
  readonly onJournalRecovery?: () => void;
  readonly now?: () => number;
}

/** What the operator of a gateway can see and do: the live page, metrics, health, a journal. */
export interface Operator {
  /** Pass it to the gateway as `onEvent`, with `emitObserved`. */
  onEvent(event: GatewayEvent): void;
  /** Answers the paths of the operator, and passes all others to the gateway. */
  handle(gateway: Gateway): Handler;
  close(): Promise<void>;
}

const secretPlace = 'loopfuse-page-secret';

export function createOperator(options: OperatorOptions = {}): Operator {
  const { page, token, health = () => ({ state: 'ok' }) as const, onFault = () => {}, now = Date.now } = options;
  const access = pageAccess(token);
  const recent = recentEvents();
  const metrics = createMetrics({ health });
  const { journal: folder, onJournalRecovery: onRecovery = () => {} } = options;
  const journal = folder === undefined ? undefined : createJournal({ folder, onFault, onRecovery });
  const { costOf } = createPrices();

  async function sessions(gateway: Gateway): Promise<LiveSession[]> {
    return (await gateway.sessions(200)).map(({ key, about, circuit, disabled }) => {
      return {
        key,
        circuit,
        disabled,
        cost: costOf({ ...about, cachedTokens: about.cachedTokens ?? 0 }, about.model),
        ...about,
      };
    });
  }

  async function answer(gateway: Gateway, request: Request, path: string): Promise<Response> {
    const refusal = access.refusal(request);
    if (refusal !== undefined) return problem(403, refusal);
    const [, , key, action] = path.split('/').map(decoded);
    if (key === undefined)
      return json({ sessions: await sessions(gateway), health: healthWords(health()), now: now() } satisfies Live);
    if (request.method === 'GET' && action === undefined) return json(recent.of(key));
    if (request.method !== 'POST' || action === undefined) return problem(405, 'Expected POST /-/sessions/KEY/ACTION.');
    const asked = (await request.json().catch(() => undefined)) as { text?: unknown; tool?: unknown } | undefined;
    const text = typeof asked?.text === 'string' ? asked.text.slice(0, 4_000) : '';
    if (action === 'stop') return done(await gateway.stop(key, text));
    const how = releaseOf(action, asked?.tool);
    if (how === undefined)
      return problem(400, 'Expected continue, hint with a text, exempt with a tool, disable or stop as the action.');
    if (how.type === 'hint' && text === '') return problem(400, 'A hint needs a text.');
    return done(await gateway.release(key, how, how.type === 'hint' ? text : undefined));
  }

  return {
    onEvent(event) {
      const at = now();
      recent.note(event, at);
      metrics.note(event);
      journal?.note(event, at);
    },
    handle: (gateway) => async (request) => {
      const { pathname } = new URL(request.url);
      const isGet = request.method === 'GET' || request.method === 'HEAD';
      if (isGet && pathname === '/healthz') return json({ status: 'ok', store: healthWords(health()) });
      if (isGet && pathname === '/metrics') return metrics.response();
      if (isGet && pathname === '/' && page !== undefined) return html(page.replace(secretPlace, access.secret), page);
      if (/^\/-\/sessions(\/|$)/.test(pathname)) return answer(gateway, request, pathname.slice(1));
      return gateway.handle(request);
    },
    close: async () => journal?.close(),
  };
}

function releaseOf(action: string, tool: unknown): Release | undefined {
  if (action === 'continue' || action === 'hint' || action === 'disable') return { type: action };
  if (action === 'exempt' && typeof tool === 'string' && tool !== '')
    return { type: 'exempt', tool } satisfies Release & Exemption;
  return undefined;
}

function healthWords(health: Health): { state: string; message?: string } {
  return health.state === 'ok' ? { state: 'ok' } : { state: 'degraded', message: health.fault.message };
}

/** The page may use its own script and style, by their hashes, and ask this gateway; it may not be put into a frame. */
function html(text: string, page: string): Response {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'";
  return new Response(text, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policy}; frame-ancestors 'none'`,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  });
}

function json(value: unknown): Response {
  return Response.json(value, { headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } });
}

function problem(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status, headers: { 'cache-control': 'no-store' } });
}

function done(found: boolean): Response {
  return found ? json({ done: true }) : problem(404, 'There is no such session any more.');
}
