import type { Agent, Client, ClientEvent, HaltReport, SetUpProblem, UserRequest } from '@loopfuse/agent';
import { guardInWords, type Row } from '@loopfuse/conversation';
import type { Price } from '@loopfuse/prices';
import type { Choice } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import type { GuardState, Tone } from '../../protocol/index.js';
import type { Editor, Excerpt } from '../editor.js';
import { remediesFor } from '../remedies.js';
import { createApprovals } from './approvals.js';
import { createAttachments } from './attachments.js';
import { createDesk } from './desk.js';
import type { Edits } from './edits.js';
import { createLedger } from './ledger.js';
import { createLoopAnswers } from './loop-answers.js';
import { offerHelp } from './offer-help.js';
import { type Hearer, onClientEvent } from './on-client-event.js';
import { createOutbox } from './outbox.js';
import { createPageHandler } from './page-handler.js';
import { createRequests, type Request, type Said, type Work } from './requests.js';
import { takeBackLast } from './retry.js';
import { createShown } from './shown.js';
import { undoEdits } from './undo-edits.js';

/** The conversation in the editor: messages of the page and commands go in, messages to the page come out. */
export interface Chat {
  readonly busy: boolean;
  /** The session, once there is something in it. */
  readonly sessionId: string | undefined;
  readonly root: string | undefined;
  /** The model in use; `undefined` when none can be used yet. */
  readonly model: { readonly provider: string; readonly model: string } | undefined;
  readonly guard: GuardState;
  /** What the guard does, with which detectors and thresholds; nothing before there is a conversation. */
  readonly guardRows: readonly Row[];
  /** The loop that waits for a decision. */
  readonly halted: HaltReport | undefined;
  /** What has to be set right before anything can be sent. */
  readonly problem: SetUpProblem | undefined;
  /** Takes a message of the page. What is none is logged. */
  take(message: unknown): void;
  /** These resolve when what they began has ended, however it did; none of them rejects. */
  send(text: string): Promise<void>;
  /** Attaches a text of the editor to the next message that the person writes on the page. */
  attach(excerpt: Excerpt): Promise<void>;
  goOn(): Promise<void>;
  answerLoop(choice: Choice, hint?: string): Promise<void>;
  newChat(): Promise<void>;
  resume(id: string): Promise<void>;
  toggleDetection(): Promise<void>;
  /** Settings, keys or trust have changed. A request that is being worked on keeps what it began with. */
  refresh(): Promise<void>;
  stop(): void;
  /** Shows an event of somebody else's client as if ours had sent it. */
  show(event: ClientEvent): void;
  /** Puts the caret where messages are written. */
  compose(text?: string): void;
  /** Cancels and saves. */
  close(): Promise<void>;
}

export interface ChatOptions {
  readonly editor: Editor;
  readonly open: () => Promise<Agent>;
  /** Sees what the tools of that agent write. */
  readonly edits: Edits;
  /** What a model costs, as the editor's settings say; the agent's list is asked after it. */
  readonly priceOf?: (model: string) => Price | undefined;
  /** How long streaming text waits for more of it, in milliseconds. */
  readonly breath?: number;
  /** Hears that a session was written or the list of them has changed. */
  readonly onSessions?: () => void;
}

export function startChat(options: ChatOptions): Chat {
  const { editor, open, edits, priceOf = () => undefined, breath = 40, onSessions = () => {} } = options;
  /** The page has loaded and waits for the conversation, which would replace what it is told before. */
  let opening = false;
  let retrying = false;

  const outbox = createOutbox({
    post: (message) => editor.post(message),
    isOpen: () => editor.hasPage && !opening,
    breath,
    onFlush: () => shown.facts(),
  });
  const approvals = createApprovals({
    onAsked(id, asked) {
      outbox.send({ type: 'approval', id, request: asked });
      if (!editor.visible) void askToLook(`Approval needed: ${asked.call.tool}, ${asked.title}`);
    },
    onGone: (id) => outbox.send({ type: 'approval-gone', id }),
  });
  const requests = createRequests({ onStart, onEvent: hear, onFault: tellWrong, onEnd });
  const desk = createDesk({ editor, open, approve: approvals.ask, busy: () => requests.current && requests.ended });
  const ledger = createLedger({ desk, editor, edits, priceOf });
  const attachments = createAttachments({ editor, desk, outbox, tell });
  const shown = createShown({ editor, desk, ledger, requests, approvals, attachments, outbox });
  const loops = createLoopAnswers({ editor, desk, requests, outbox, isReady, run, onSettled: shown.state });
  const hearer: Hearer = {
    log: (level, message) => editor.log(level, message),
    tell(tone, message) {
      if (!editor.visible) void editor.notify(tone, message);
    },
    onSuspected() {
      ledger.suspected = true;
    },
    onJudged({ spending }) {
      ledger.judge = spending ?? ledger.judge;
    },
    onHalted,
  };

  function tell(text: string, tone: Tone = 'plain'): void {
    outbox.send({ type: 'note', text, tone });
  }

  function tellWrong(cause: unknown): void {
    const message = messageOf(cause);
    editor.log('error', message);
    tell(message, 'bad');
  }

  async function askToLook(message: string): Promise<void> {
    if ((await editor.notify('info', message, 'Show')) === 'Show') editor.reveal();
  }

  function hear(event: ClientEvent): void {
    requests.keep(event);
    if (event.type === 'tool-call-result') edits.onResult(event.id);
    outbox.event(event);
    onClientEvent(event, hearer);
    shown.guard();
  }

  /** The client has dropped the stream and saved; what is left is to tell the person, wherever they look. */
  function onHalted({ type, ...report }: Extract<ClientEvent, { type: 'loop-detected' }>): void {
    approvals.withdraw();
    outbox.flush();
    if (!editor.visible) void safely(() => loops.askOutside(report, ledger.costOfLoop(report)));
  }

  function onStart({ text, attached }: Request, { sessionId }: Client): void {
    edits.begin();
    ledger.suspected = false;
    desk.cut = false;
    editor.opened = { id: sessionId };
    editor.showBusy(true);
    outbox.send({ type: 'started', text, attached });
    shown.guard();
  }

  function onEnd(): void {
    edits.end();
    approvals.withdraw();
    const { client } = desk;
    if (client !== undefined && client.history.length > 0) editor.opened = { id: client.sessionId };
    outbox.send({ type: 'settled' });
    editor.showBusy(false);
    shown.state();
    onSessions();
  }

  async function run(work: Work, said?: Said): Promise<void> {
    const { client } = desk;
    if (client !== undefined) await requests.run(client, work, said);
  }

  function tellBusy(): void {
    tell('The agent is working on a request. Stop it first, or wait for its end.', 'warning');
  }

  /** Whether something can be sent; if not, the person is told why and what to do. */
  async function isReady(): Promise<boolean> {
    if (requests.current === undefined) await desk.settled();
    const { blocked } = desk;
    if (requests.current !== undefined) tellBusy();
    else if (blocked === undefined) return true;
    else {
      tell(blocked, 'bad');
      shown.state();
      void offerHelp(editor, blocked, remediesFor(desk.problem));
    }
    return false;
  }

  /** What the person has attached goes with what they write on the page, not with what others send. */
  async function send(text: string, how: 'bare' | 'with attachments' = 'bare'): Promise<void> {
    if (text.trim() === '') return;
    if (!(await isReady())) return outbox.send({ type: 'compose', text });
    const taken = how === 'bare' ? [] : attachments.take();
    await work({ text, attachments: taken });
  }

  async function work(request: UserRequest): Promise<void> {
    const { text, attachments: sent = [] } = request;
    const attached = sent.map(({ path, lines }) => ({ path, ...(lines === undefined ? {} : { lines }) }));
    await run((client, signal) => client.sendMessageStream(request, signal), {
      text,
      ...(attached.length === 0 ? {} : { attached }),
    });
  }

  async function attach(excerpt: Excerpt): Promise<void> {
    await attachments.add(excerpt);
    outbox.send({ type: 'compose' });
  }

  async function goOn(): Promise<void> {
    const { halted } = desk.client ?? {};
    if (halted?.choices.includes('continue')) return loops.answer('continue');
    if (!(await isReady())) return;
    if (desk.client?.history.length === 0) return tell('There is no request to go on with.', 'warning');
    return run((client, signal) => client.continue(signal));
  }

  async function undo(id: number): Promise<void> {
    if (requests.current !== undefined) return tellBusy();
    await undoEdits({ editor, desk, edits, tell }, id);
    shown.state();
  }

  async function retry(): Promise<void> {
    if (retrying) return; // a question may be open
    retrying = true;
    const request = await lastTakenBack().finally(() => {
      retrying = false;
    });
    if (request === undefined) {
      shown.state();
      return editor.log('info', 'The last message is not tried again');
    }
    shown.conversation();
    await work(request);
  }

  async function lastTakenBack(): Promise<UserRequest | undefined> {
    if (!(await isReady())) return undefined;
    const undoable = ledger.facts.undoable ?? [];
    return takeBackLast({ editor, desk, undoable, undo: (id) => undoEdits({ editor, desk, edits, tell }, id) });
  }

  async function newChat(): Promise<void> {
    stop();
    await requests.ended;
    await desk.begin();
    fresh();
  }

  async function resume(id: string): Promise<void> {
    if (requests.current !== undefined) return tellBusy();
    await desk.resume(id);
    fresh();
    tell('The session is taken up again.', 'good');
  }

  function fresh(): void {
    ledger.suspected = false;
    ledger.judge = undefined;
    shown.conversation();
  }

  async function toggleDetection(): Promise<void> {
    await desk.connect();
    const on = desk.client?.guard.disabled === true;
    if (on && requests.current !== undefined)
      return tell('Loop detection can be switched on when the request has ended.', 'warning');
    if (!(await desk.setDetection(on)))
      return tell('The settings keep loop detection off: set “disable” to false there.', 'warning');
    editor.log('info', `Loop detection is ${on ? 'on' : 'off'} for this session`);
    tell(`Loop detection is ${on ? 'on' : 'off'} for this session.`, on ? 'good' : 'warning');
    shown.state();
  }

  async function refresh(): Promise<void> {
    await desk.reconnect();
    shown.conversation();
  }

  function stop(): void {
    requests.cancel();
    approvals.withdraw();
  }

  async function openPage(): Promise<void> {
    opening = true;
    try {
      await desk.connect();
      shown.conversation();
    } finally {
      opening = false;
      outbox.deliver();
    }
  }

  const take = createPageHandler({
    editor,
    desk,
    approvals,
    attachments,
    outbox,
    tell,
    openPage,
    showFacts: shown.facts,
    safely,
    actions: {
      send: (text) => send(text, 'with attachments'),
      stop,
      goOn,
      answerLoop: loops.answer,
      newChat,
      resume,
      undo,
      retry,
    },
  });

  /** What goes wrong is told and never thrown. */
  async function safely(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      tellWrong(cause);
    }
  }

  return {
    get busy() {
      return requests.current !== undefined;
    },
    get sessionId() {
      const { client } = desk;
      return client === undefined || client.history.length === 0 ? undefined : client.sessionId;
    },
    get root() {
      return desk.agent?.root;
    },
    get model() {
      const { agent } = desk;
      return agent && { provider: agent.model.provider, model: agent.model.name };
    },
    get guard() {
      return ledger.guard;
    },
    get guardRows() {
      const { agent, client } = desk;
      return agent === undefined || client === undefined ? [] : guardInWords(client, agent.settings);
    },
    get halted() {
      return desk.client?.halted;
    },
    get problem() {
      return desk.problem === 'untrusted' ? undefined : desk.problem;
    },
    take,
    send: (text) => safely(() => send(text)),
    attach: (excerpt) => safely(() => attach(excerpt)),
    goOn: () => safely(goOn),
    answerLoop: (choice, hint) => safely(() => loops.answer(choice, hint)),
    newChat: () => safely(newChat),
    resume: (id) => safely(() => resume(id)),
    toggleDetection: () => safely(toggleDetection),
    refresh: () => safely(refresh),
    stop,
    show(event) {
      void safely(() => {
        if (typeof (event as { type?: unknown } | null)?.type !== 'string')
          throw new TypeError(`what another client has sent is no event: ${JSON.stringify(event)}`);
        editor.log('info', `An event of another client: ${event.type}`);
        hear(event);
      });
    },
    compose: (text) => outbox.send({ type: 'compose', text }),
    async close() {
      stop();
      await requests.ended;
      const { client } = desk;
      if (client !== undefined && client.history.length > 0) await safely(() => client.save());
    },
  };
}
