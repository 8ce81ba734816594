import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { latestResults, modelTurns, type Place, type Protocol } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import { answerOf, drawId, requestTokens } from './answer.js';
import { createConversations } from './conversation.js';
import { deliver, sendJson } from './deliver.js';
import { modelList } from './model-list.js';
import { createRecording, type RecordedRequest } from './recording.js';
import { type Reply, replyProblem, type Script } from './reply.js';
import { readBody } from './request-body.js';
import { type Route, routeOf } from './route.js';
import { specs } from './specs.js';
import { createStore } from './store.js';
import type { TurnRequest } from './turn.js';

export interface ModelServerOptions {
  readonly script: Script;
  /** 0 chooses a free port. */
  readonly port?: number;
  /** The models in the list of models. Requests for any model are answered. */
  readonly models?: readonly string[];
  /** Whether a request that the provider would refuse is refused, or answered and its problem recorded. */
  readonly problems?: 'refuse' | 'note';
  /** The number of requests that are kept for assertions. */
  readonly keep?: number;
  /** Called with a line for every request. */
  readonly log?: (line: string) => void;
}

export interface ModelServer {
  /** Without `/v1`: some clients need it in the URL and others add it. */
  readonly url: string;
  readonly port: number;
  /** The latest requests, oldest first. The list is updated. */
  readonly requests: readonly RecordedRequest[];
  /** The number of all requests. */
  readonly seen: number;
  /** Later requests use this script; open requests keep theirs. */
  setScript(script: Script): void;
  /** Drops every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1 with the real protocols of the providers, whose model does what the script says. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { port = 0, models = ['scripted-model'], problems = 'refuse', keep = 1000, log = () => {} } = options;
  if (typeof options.script !== 'function')
    throw new TypeError(`startModelServer: script must be a function, got ${String(options.script)}`);
  if (!Number.isInteger(keep) || keep < 1)
    throw new RangeError(`startModelServer: keep must be an integer of at least 1, got ${String(keep)}`);
  // Node would take a string for the path of a socket.
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RangeError(`startModelServer: port must be an integer from 0 to 65535, got ${JSON.stringify(port)}`);
  if (!Array.isArray(models))
    throw new TypeError(`startModelServer: models must be a list of names, got ${JSON.stringify(models)}`);
  if (problems !== 'refuse' && problems !== 'note')
    throw new RangeError(`startModelServer: problems must be "refuse" or "note", got ${JSON.stringify(problems)}`);
  let script = options.script;
  const recording = createRecording(keep);
  const conversations = createConversations();
  const store = createStore();
  const underWay = new Set<AbortController>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const route = routeOf(method, url, headers);
    const body = await readBody(request);
    const record = recording.open({ method, path: url, headers, route, body });
    const refuse = (protocol: Protocol, status: number, message: string) => {
      sendJson(response, status, specs[protocol].refusal(status, message));
      recording.note(record, { status, delivery: 'refused', problem: message });
    };
    if (route.type === 'refuse') refuse(route.protocol, route.status, route.message);
    else if (route.type === 'home') reply(record, response, { server: 'scripted model server' });
    else if (route.type === 'models') {
      const list = modelList(route.protocol, models, route.id);
      if (list === undefined) refuse(route.protocol, 404, `there is no model ${JSON.stringify(route.id)} here`);
      else reply(record, response, list);
    } else if (body.type === 'bad') refuse(route.protocol, body.status, body.message);
    else if (route.type === 'count') {
      const { counting } = specs[route.protocol];
      const problem = counting?.problem(body.value);
      if (problem !== undefined) refuse(route.protocol, 400, problem);
      else reply(record, response, counting?.answer(requestTokens(body.value)) ?? {});
    } else await ask(route, body.value, record, response);
    log(describe(record));
  }

  function reply(record: RecordedRequest, response: ServerResponse, body: Json): void {
    sendJson(response, 200, body);
    recording.note(record, { status: 200, delivery: 'whole' });
  }

  async function ask(
    route: Extract<Route, { type: 'ask' }>,
    body: unknown,
    record: RecordedRequest,
    response: ServerResponse,
  ): Promise<void> {
    const spec = specs[route.protocol];
    const place: Place = {
      ...(route.model === undefined ? {} : { model: route.model }),
      stream: route.framing === 'events',
      stored: store.find,
    };
    const headers: Record<string, string> = spec.idHeader === undefined ? {} : { [spec.idHeader]: `req_${drawId()}` };
    const problem = spec.problem(body, place);
    if (problem !== undefined && problems === 'refuse') {
      sendJson(response, 400, spec.refusal(400, problem), headers);
      return recording.note(record, { status: 400, delivery: 'refused', problem });
    }
    const read = spec.read(body, place);
    const visit = conversations.enter(read, record.headers, body);
    const gone = new AbortController();
    underWay.add(gone);
    response.once('close', () => {
      gone.abort();
      underWay.delete(gone);
    });
    const { signal } = gone;
    const turn: TurnRequest = {
      ...read,
      protocol: route.protocol,
      results: latestResults(read.messages),
      turn: modelTurns(read.messages),
      asked: visit.asked,
      conversation: visit.conversation,
      headers: record.headers,
      body,
      signal,
    };
    recording.note(record, { turn, ...(problem === undefined ? {} : { problem }) });
    const chosen = await played(script, turn);
    const answer = answerOf(chosen, turn);
    spec.remember?.(answer, body, place, store.keep);
    const framing = route.framing ?? (read.stream ? 'events' : 'whole');
    const delivery = await deliver(response, { spec, reply: chosen, answer, body, framing, headers, signal });
    visit.leave(delivery);
    recording.note(record, { status: response.headersSent ? response.statusCode : 0, delivery, reply: chosen });
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch((cause: unknown) => {
      if (!response.destroyed) log(`${request.method} ${request.url} failed: ${String(cause)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests: recording.requests,
    get seen() {
      return recording.seen;
    },
    setScript(next) {
      script = next;
    },
    async close() {
      for (const gone of underWay) gone.abort();
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A script that throws or returns an invalid reply is an error in the test: the client gets status 500. */
async function played(script: Script, turn: TurnRequest): Promise<Reply> {
  try {
    const reply = await script(turn);
    const problem = replyProblem(reply);
    if (problem === undefined) return reply;
    return { fault: { type: 'refuse', status: 500, message: `the script's reply is wrong: ${problem}` } };
  } catch (cause) {
    const message = `the script failed: ${cause instanceof Error ? cause.message : String(cause)}`;
    return { fault: { type: 'refuse', status: 500, message } };
  }
}

function describe({ method, path, status, turn, problem, delivery }: RecordedRequest): string {
  const who = turn === undefined ? '' : ` ${turn.model} turn ${turn.turn} of ${turn.conversation}`;
  return `${method} ${path}${who}: ${status} ${delivery}${problem === undefined ? '' : `: ${problem}`}`;
}
