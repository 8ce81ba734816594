import { randomBytes } from 'node:crypto';
import type { Judge, JudgeOptions } from '@loopfuse/judge';
import type { Store } from '@loopfuse/store';
import { type AskRoute, agentNamed, askRoute, isEventStream, isSideRequest, wires } from '@loopfuse/wire';
import type { Detector, Fault, Policy, Release } from 'loopfuse';
import { ladder, shadowOf, unattended } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { type Action, haltText, hintText, stopText } from './decided.js';
import type { GatewayEvent, SessionName } from './gateway-event.js';
import { guardedBody } from './guarded-body.js';
import { guardedWhole } from './guarded-whole.js';
import { endToEnd, sessionHeader, tokenHeader } from './headers.js';
import { bodyOf } from './node-request.js';
import { observedCopy } from './observed-copy.js';
import { systemPrint } from './prints.js';
import { type PushedBody, piped, pulled, pushedResponse } from './pushed-body.js';
import { jsonOf, receive } from './read-request.js';
import { answerReply, errorReply, framingOf, stoppedReply } from './reply.js';
import { newFacts, type Session, type SessionFacts, type SessionOptionsFor } from './session.js';
import { agentOf, sessionKey } from './session-key.js';
import { type ListedSession, liveSessions, type Sessions, storedSessions, type Visit } from './sessions.js';
import { startTurn, type Turn, take, takeOpinion } from './turn.js';
import { createUpstream, UpstreamError, type UpstreamOptions, type UpstreamResponse } from './upstream.js';
import { addressAt, mountedAt, providerUpstreams, type Upstreams, upstreamFor } from './upstreams.js';

/** How loops are handled: tell the model, refuse its calls and then stop; stop at once; or only watch. */
export type OnLoop = 'steer' | 'stop' | 'shadow';

export interface GatewayOptions extends UpstreamOptions {
  readonly upstreams?: Partial<Upstreams>;
  /** Upstreams by the first part of the path, which is left out: `/m0` for `/m0/v1/models`. May be added to later. */
  readonly mounts?: ReadonlyMap<string, URL>;
  readonly onLoop?: OnLoop;
  /** In place of what `onLoop` stands for. */
  readonly policy?: Policy;
  readonly detectors?: readonly Detector[];
  /**
   * Who gives a second opinion on sessions that look stuck. It is asked beside a request, which does not wait; what it
   * thinks counts from the next request on.
   */
  readonly judge?: Omit<JudgeOptions, 'lane' | 'onFault'> | undefined;
  /** Where sessions live between requests; without one, in this process. */
  readonly store?: Store;
  readonly mostSessions?: number;
  readonly expirySeconds?: number;
  /** The session of requests that name none: for a gateway that serves one run. */
  readonly session?: string;
  /** Larger requests are passed on unread. */
  readonly mostRequestBytes?: number;
  readonly onEvent?: (event: GatewayEvent) => void;
  /** Whether `onEvent` gets everything that is observed, too. */
  readonly tellObserved?: boolean;
  readonly now?: () => number;
}

export interface Gateway {
  /** Answers a request. Never rejects; the body of the answer fails where that of the upstream does. */
  handle(request: Request): Promise<Response>;
  sessions(limit?: number): Promise<readonly ListedSession[]>;
  /** Lets a session go on, as a person decides, with a message for the model if there is one. False where there is no such session. */
  release(key: string, how: Release, hint?: string): Promise<boolean>;
  /** Ends a session, with the answers that are under way here, until it is released. False where there is no such session. */
  stop(key: string, reason?: string): Promise<boolean>;
  close(): Promise<void>;
}

const policies: { readonly [Name in OnLoop]: Policy } = {
  steer: unattended,
  stop: ladder({ steers: 0, last: 'stop' }),
  shadow: shadowOf(unattended),
};

const mostWholeBytes = 32 * 2 ** 20;

/** A guard in front of any model API, on web-standard requests and responses. */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const { onLoop = 'steer', policy = policies[onLoop], detectors = balanced(), now = Date.now } = options;
  const { mostRequestBytes = 64 * 2 ** 20, onEvent } = options;
  const upstreams: Upstreams = { ...providerUpstreams, ...options.upstreams };
  const upstream = createUpstream(options);
  const acts = options.policy !== undefined || onLoop !== 'shadow';

  function emit(event: GatewayEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // Whoever runs the gateway has failed; the agents go on.
    }
  }
  /** What to call when a person stops a session, by its key: the answers that are under way. */
  const running = new Map<string, Set<(message: string) => void>>();

  function onHalt(key: string, halt: (message: string) => void): () => void {
    const all = running.get(key) ?? new Set();
    running.set(key, all.add(halt));
    return () => {
      all.delete(halt);
      if (all.size === 0 && running.get(key) === all) running.delete(key);
    };
  }

  const fault = (message: string, cause?: unknown) => emit({ type: 'fault', message, cause });

  const onFault = ({ where, message, cause }: Fault) => fault(`${where}: ${message}`, cause);
  const optionsFor: SessionOptionsFor = (key, about) => ({
    guarding: {
      detectors,
      policy,
      onFault,
      onFinding: (finding) => {
        if (finding.status === 'looping' && finding.again === 0) about.loops++;
        const explain = detectors.find(({ name }) => name === finding.detector)?.explain;
        const explanation = explain?.(finding.evidence as never) ?? finding.kind;
        emit({ type: 'finding', session: nameOf(key, about), finding, explanation });
      },
    },
    judging: options.judge && { ...options.judge, onFault: noOpinion },
  });
  /** What a judge says instead of an opinion may quote the session: only its kind is reported. */
  const noOpinion = ({ cause }: Fault) => fault(`the judge gave no opinion (${kindOf(cause)})`, cause);
  const closing = new AbortController();
  const sessions: Sessions =
    options.store === undefined
      ? liveSessions({ ...options, optionsFor, now })
      : storedSessions(options.store, optionsFor);

  async function handle(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const route = request.method === 'POST' ? askRoute(pathname, search.slice(1)) : undefined;
    const wire = route && wires[route.protocol];
    if (request.headers.has('upgrade'))
      return errorReply(wire, 426, 'WebSockets are not spoken here. Use plain HTTP requests.');
    try {
      return route === undefined ? await pass(request) : await ask(request, route);
    } catch (cause) {
      if (request.signal.aborted) return new Response(null, { status: 499 });
      const status = cause instanceof UpstreamError ? cause.status : 502;
      const message = cause instanceof UpstreamError ? cause.message : 'The gateway could not pass the request on.';
      fault(message, cause);
      return errorReply(wire, status, message);
    }
  }

  /** Sends a request on to its upstream, with the body that was received or another one. */
  function send(
    request: Request,
    body: Uint8Array | AsyncIterable<Uint8Array> | undefined,
    change: (headers: Headers) => void = () => {},
  ): Promise<UpstreamResponse> {
    const { pathname, search } = new URL(request.url);
    const protocol = askRoute(pathname, search.slice(1))?.protocol;
    const headers = endToEnd(request.headers);
    headers.delete(sessionHeader);
    headers.delete(tokenHeader);
    headers.delete('host');
    change(headers);
    const mounted = mountedAt(options.mounts, pathname);
    const url =
      mounted === undefined
        ? addressAt(upstreams[upstreamFor(protocol, pathname, request.headers)], pathname, search)
        : addressAt(mounted.upstream, mounted.path, search);
    return upstream.ask({ url, method: request.method, headers, body, signal: request.signal });
  }

  /** A request that is none of our business, either way as it comes. */
  async function pass(request: Request): Promise<Response> {
    const answer = await send(request, bodyOf(request) ?? undefined);
    return responseOf(answer);
  }

  async function ask(request: Request, route: AskRoute): Promise<Response> {
    const received = await receive(bodyOf(request), mostRequestBytes);
    if (received.type === 'large') {
      fault(`a request of more than ${mostRequestBytes} bytes was passed on unread`);
      const answer = await send(request, received.stream);
      return responseOf(answer);
    }
    const { bytes } = received;
    const body = jsonOf(bytes, request.headers.get('content-encoding'), mostRequestBytes);
    const opened =
      body === undefined
        ? undefined
        : await open(request, route, body).catch((cause: unknown) => {
            fault('a request was passed on unguarded', cause);
            return undefined;
          });
    if (opened === undefined) {
      const answer = await send(request, bytes);
      return responseOf(answer);
    }
    if (opened.reply !== undefined) return opened.reply;
    return guarded(request, bytes, opened.turn, opened.session);
  }

  type Opened =
    | { readonly reply: Response }
    | { readonly reply?: undefined; readonly turn: Turn; readonly session: SessionName };

  /** Takes the request into its session. Undefined where it is no evidence and is passed on as it is. */
  async function open(request: Request, route: AskRoute, body: unknown): Promise<Opened | undefined> {
    const wire = wires[route.protocol];
    const framing = route.framing === 'events' || route.framing === 'array';
    const view = wire.readRequest(body, {
      ...(route.model === undefined ? {} : { model: route.model }),
      stream: framing,
    });
    if (isSideRequest(view) || view.messages.length === 0) return undefined;
    const { key, name, named } = sessionKey(request.headers, body, view, options.session);
    const agent = agentNamed((header) => request.headers.get(header) ?? undefined);
    const visit = await sessions.enter(key, () => newFacts(name, agentOf(request.headers), view.model, now()));
    const system = systemPrint(view.system);
    let session: SessionName | undefined;
    const start = await visit.work((one) => {
      session = nameOf(key, one.about);
      return startTurn(one, { wire, view, body, now, system, agent, named });
    });
    const told = session!;
    if (options.tellObserved) for (const event of start.events) emit({ type: 'observed', session: told, event });
    const context = { id: randomBytes(12).toString('hex'), created: Math.floor(now() / 1000), model: view.model, body };
    const acted = (action: Action) => {
      if (action.type !== 'allow')
        emit({ type: 'action', session: told, action: action.type, message: action.message });
    };
    acted(start.action);
    if (start.judge !== undefined) void consult(start.judge, visit, told, acted);
    if (start.action.type === 'stop') {
      const message = start.halted ? start.action.message : stopText(start.action.message);
      const reply = start.announced
        ? stoppedReply(wire, message)
        : answerReply(wire, framingOf(route, view), context, message);
      emit({ type: 'request', session: told, status: reply.status });
      return { reply };
    }
    const observed = options.tellObserved
      ? (event: Parameters<NonNullable<Turn['observed']>>[0]) => emit({ type: 'observed', session: told, event })
      : undefined;
    const sent = start.changed ?? body;
    const { laneName } = start;
    const halts: Turn['onHalt'] = (halt) => onHalt(key, halt);
    const turn = { wire, view, body, sent, context, visit, laneName, acts, observed, acted, onHalt: halts, now };
    return { turn, session: told };
  }

  /** Never rejects; who is asked may fail, and that is reported. */
  async function consult(
    judge: Judge,
    visit: Visit,
    session: SessionName,
    acted: (action: Action) => void,
  ): Promise<void> {
    const opinion = await judge.consult({}, closing.signal);
    if (opinion === undefined || closing.signal.aborted) return;
    if (options.tellObserved) emit({ type: 'observed', session, event: opinion });
    try {
      acted(await visit.work((one) => takeOpinion(one, opinion)));
    } catch (cause) {
      fault('an opinion of the judge was not taken', cause);
    }
  }

  async function guarded(request: Request, bytes: Uint8Array, turn: Turn, session: SessionName): Promise<Response> {
    const plain = (headers: Headers) => headers.set('accept-encoding', 'identity');
    const rewritten = (headers: Headers) => {
      plain(headers);
      headers.delete('content-encoding');
    };
    const askWith = (body: unknown) => send(request, new TextEncoder().encode(JSON.stringify(body)), rewritten);
    const answer = turn.sent === turn.body ? await send(request, bytes, plain) : await askWith(turn.sent);
    emit({ type: 'request', session, status: answer.status });
    const type = answer.headers.get('content-type');
    if (answer.status !== 200) return responseOf(answer);
    if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity')
      return responseOf(answer, pulled(observedCopy(turn, answer)));
    if (isEventStream(type)) {
      answer.headers.delete('content-length');
      return responseOf(answer, guardedBody(turn, answer, askWith));
    }
    const whole = await wholeBody(answer);
    if (whole.type === 'large') {
      fault(`an answer of more than ${mostWholeBytes} bytes was passed on unread`);
      return responseOf(answer, pulled(whole.stream));
    }
    const judged = await guardedWhole(turn, { response: answer, bytes: whole.bytes }, async (body) => {
      const next = await askWith(body);
      const read = await wholeBody(next);
      return read.type === 'whole' ? { response: next, bytes: read.bytes } : undefined;
    });
    if (judged.type === 'theirs') return responseOf(judged.response, judged.bytes);
    const wholeReply = turn.wire.wholeAnswer(turn.context, judged.text);
    return Response.json(Array.isArray(parsedOrNull(whole.bytes)) ? [wholeReply] : wholeReply);
  }

  /** Works on a session that is there already. */
  async function onKnown(key: string, work: (session: Session) => void): Promise<boolean> {
    if (!(await sessions.has(key))) return false;
    const visit = await sessions.enter(key, () => newFacts('', '', '', now()));
    await visit.work(work);
    return true;
  }

  return {
    handle,
    sessions: (limit) => sessions.list(limit),
    release: (key, how, hint) =>
      onKnown(key, (session) => {
        session.guard.release(how);
        delete session.about.halted;
        take(session, { type: 'allow' });
        if (hint !== undefined) session.about.hint = hintText(hint);
      }),
    async stop(key, reason = '') {
      const message = haltText(reason);
      const found = await onKnown(key, ({ about }) => {
        about.halted = message;
        about.stopped = message;
        about.announced = false;
      });
      if (found) for (const halt of [...(running.get(key) ?? [])]) halt(message);
      return found;
    },
    async close() {
      closing.abort();
      upstream.close();
      await sessions.close();
    },
  };
}

function nameOf(key: string, { name, agent, model }: SessionFacts): SessionName {
  return { key, name, agent, model };
}

/** Of what kind an error is, in words that hold nothing of what was said. */
function kindOf(cause: unknown): string {
  const { statusCode, code, name } = (cause ?? {}) as { statusCode?: unknown; code?: unknown; name?: unknown };
  if (typeof statusCode === 'number') return `status ${statusCode}`;
  return String(code ?? name ?? 'unknown').slice(0, 60);
}

function parsedOrNull(bytes: Uint8Array): unknown {
  return jsonOf(bytes, null, mostWholeBytes) ?? null;
}

async function wholeBody({ body }: UpstreamResponse) {
  return receive(body, mostWholeBytes);
}

const bodiless = new Set([204, 205, 304]);

/** The answer of the upstream: its status, its headers, and these bytes. */
function responseOf(answer: UpstreamResponse, body: Uint8Array | PushedBody = piped(answer.body)): Response {
  const { status, statusText } = answer;
  const init = { status, statusText, headers: endToEnd(answer.headers) };
  if (bodiless.has(status)) {
    answer.body.resume(); // so that the connection is free again
    return new Response(null, init);
  }
  return body instanceof Uint8Array ? new Response(body as Uint8Array<ArrayBuffer>, init) : pushedResponse(body, init);
}
