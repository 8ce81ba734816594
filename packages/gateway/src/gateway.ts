import { randomBytes } from 'node:crypto';
import type { Judge } from '@loopfuse/judge';
import { type AnswerContext, type AskRoute, agentNamed, askRoute, isSideRequest, wires } from '@loopfuse/wire';
import type { Fault, Release } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { createAnswersUnderWay } from './answers-under-way.js';
import { type Action, haltText, hintText, stopText } from './decided.js';
import { createForward, responseOf } from './forward.js';
import type { GatewayEvent, SessionName } from './gateway-event.js';
import { type GatewayOptions, loopPolicies } from './gateway-options.js';
import { guardedAnswer } from './guarded-answer.js';
import { createKeptAnswers, goingOnFrom, untoldOf } from './kept-answers.js';
import { bodyOf } from './node-request.js';
import { systemPrint } from './prints.js';
import { isReadable, jsonOf, receive } from './read-request.js';
import { answerReply, errorReply, framingOf, stoppedReply } from './reply.js';
import { requireOptions } from './require-options.js';
import { newFacts, type Session, type SessionFacts, type SessionOptionsFor } from './session.js';
import { agentOf, keptId, sessionKey } from './session-key.js';
import { type ListedSession, liveSessions, type Sessions, storedSessions, type Visit } from './sessions.js';
import { startTurn, type Turn, take, takeOpinion } from './turn.js';
import { brokenOffText, UpstreamError } from './upstream.js';

export interface Gateway {
  /** Answers a request. Never rejects; the body of the answer fails if that of the upstream does. */
  handle(request: Request): Promise<Response>;
  sessions(limit?: number): Promise<readonly ListedSession[]>;
  /** Lets a session go on as the operator decides, with a hint for the model if given. False if there is none. */
  release(key: string, how: Release, hint?: string): Promise<boolean>;
  /** Stops a session, with its answers under way in this process, until it is released. False if there is none. */
  stop(key: string, reason?: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A guard in front of any model API, for web-standard requests and responses. Throws if an option is not valid. */
export function createGateway(options: GatewayOptions = {}): Gateway {
  requireOptions(options);
  const { onLoop = 'steer', policy = loopPolicies[onLoop], detectors = balanced(), now = Date.now } = options;
  const { mostRequestBytes = 64 * 2 ** 20, onEvent } = options;
  const { send, close } = createForward(options);
  const underWay = createAnswersUnderWay();
  const kept = createKeptAnswers();
  const acts = options.policy !== undefined || onLoop !== 'shadow';

  function emit(event: GatewayEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // The operator's code failed; the agents go on.
    }
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
  /** The error of a judge may quote the session: only the kind of error is reported. */
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
    // Any other upgrade is an offer that may be ignored: Java clients offer HTTP/2 with every request.
    if (/websocket/i.test(request.headers.get('upgrade') ?? ''))
      return errorReply(wire, 426, 'WebSockets are not supported here. Use plain HTTP requests.');
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

  /** Passes on a request that is not for us, and its answer, unchanged. */
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
    const packing = request.headers.get('content-encoding');
    if (!isReadable(packing)) fault(`a request was passed on unread, because it is packed ${packingWords(packing)}`);
    const body = jsonOf(bytes, packing, mostRequestBytes);
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
    const { turn, session } = opened;
    const onStatus = (status: number) => emit({ type: 'request', session, status });
    return guardedAnswer(turn, { request, bytes, body, send, onStatus, onFault: fault });
  }

  type Opened =
    | { readonly reply: Response }
    | { readonly reply?: undefined; readonly turn: Turn; readonly session: SessionName };

  /** Records the request in its session. Undefined if it is not evidence and must be passed on unchanged. */
  async function open(request: Request, route: AskRoute, received: unknown): Promise<Opened | undefined> {
    const wire = wires[route.protocol];
    const framing = route.framing === 'events' || route.framing === 'array';
    const view = wire.readRequest(received, {
      ...(route.model === undefined ? {} : { model: route.model }),
      stream: framing,
    });
    if (isSideRequest(view) || view.messages.length === 0) return undefined;
    const { key, name, named } = sessionKey(request.headers, received, view, options.session, kept);
    const followed = view.follows === undefined ? undefined : kept.find(keptId(request.headers, view.follows));
    const body = followed === undefined ? received : goingOnFrom(received, followed);
    const agent = agentNamed((header) => request.headers.get(header) ?? undefined);
    const visit = await sessions.enter(key, () => newFacts(name, agentOf(request.headers), view.model, now()));
    const system = systemPrint(view.system);
    let session: SessionName | undefined;
    const start = await visit.work((one) => {
      session = nameOf(key, one.about);
      return startTurn(one, { wire, view, body, now, system, agent, named });
    });
    const by = session!;
    if (options.emitObserved) for (const event of start.events) emit({ type: 'observed', session: by, event });
    const context: AnswerContext = {
      id: randomBytes(12).toString('hex'),
      created: Math.floor(now() / 1000),
      model: view.model,
      body,
      onEnded(id, items) {
        const untold = untoldOf(body, items);
        const before = (body as { readonly previous_response_id?: string }).previous_response_id;
        if (untold !== undefined) kept.add(keptId(request.headers, id), { session: key, id: before, untold });
      },
    };
    const acted = (action: Action) => {
      if (action.type !== 'allow') emit({ type: 'action', session: by, action: action.type, message: action.message });
    };
    acted(start.action);
    if (start.judge !== undefined) void consult(start.judge, visit, by, acted);
    if (start.action.type === 'stop') {
      const message = start.halted ? start.action.message : stopText(start.action.message);
      const reply = start.announced
        ? stoppedReply(wire, message)
        : answerReply(wire, framingOf(route, view), context, message);
      emit({ type: 'request', session: by, status: reply.status });
      return { reply };
    }
    const observed = options.emitObserved
      ? (event: Parameters<NonNullable<Turn['observed']>>[0]) => emit({ type: 'observed', session: by, event })
      : undefined;
    const sent = start.changed ?? body;
    const { laneName } = start;
    const halts: Turn['onHalt'] = (halt) => underWay.add(key, halt);
    const brokenOff = () => {
      if (!request.signal.aborted && !closing.signal.aborted) fault(brokenOffText);
      return new TextEncoder().encode(wire.brokenOff(brokenOffText));
    };
    let shown: string | undefined;
    const onId = (id: string) => {
      shown ??= id;
      for (const known of [shown, id]) kept.add(keptId(request.headers, known), { session: key, id });
    };
    const turn = {
      ...{
        wire,
        view,
        body,
        sent,
        context,
        visit,
        laneName,
        acts,
        observed,
        acted,
        onId,
        onHalt: halts,
        brokenOff,
        now,
      },
    };
    return { turn, session: by };
  }

  /** Never rejects; if the judge fails, that is reported. */
  async function consult(
    judge: Judge,
    visit: Visit,
    session: SessionName,
    acted: (action: Action) => void,
  ): Promise<void> {
    const opinion = await judge.consult({}, closing.signal);
    if (opinion === undefined || closing.signal.aborted) return;
    if (options.emitObserved) emit({ type: 'observed', session, event: opinion });
    try {
      acted(await visit.work((one) => takeOpinion(one, opinion)));
    } catch (cause) {
      fault('an opinion of the judge was not taken', cause);
    }
  }

  /** Works on a session if it exists; returns whether it does. */
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
      if (found) underWay.halt(key, message);
      return found;
    },
    async close() {
      closing.abort();
      close();
      await sessions.close();
    },
  };
}

function nameOf(key: string, { name, agent, model }: SessionFacts): SessionName {
  return { key, name, agent, model };
}

/** A header may hold anything, so only the name of a known encoding is reported. */
function packingWords(encoding: string | null): string {
  if (/^zstd$/i.test(encoding ?? '')) return 'with zstd, which Node unpacks from 22.15 on';
  return 'in a way that is not known: gzip, deflate, br and zstd are';
}

/** The kind of an error, in words that quote nothing of the session. */
function kindOf(cause: unknown): string {
  if (cause instanceof UpstreamError) return cause.message;
  const { statusCode, code, name, cause: inner } = (cause ?? {}) as { readonly [field: string]: unknown };
  if (typeof statusCode === 'number') return `status ${statusCode}`;
  if (name === 'TimeoutError') return 'it took too long';
  if (name === 'AnswerError') return 'its answer could not be read';
  const innerCode = (inner as { code?: unknown } | undefined)?.code;
  return String(code ?? innerCode ?? name ?? 'unknown').slice(0, 60);
}
