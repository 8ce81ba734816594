import type { Agent, ClientEvent, HaltReport, SetUpProblem } from '@loopfuse/agent';
import { guardInWords, type Row } from '@loopfuse/conversation';
import type { Price } from '@loopfuse/prices';
import type { Choice } from 'loopfuse';
import type { GuardState } from '../../protocol/index.js';
import type { Editor, Excerpt } from '../editor.js';
import { createApprovals } from './approvals.js';
import { createAttachments } from './attachments.js';
import { createConversations } from './conversations.js';
import { createDesk } from './desk.js';
import type { Edits } from './edits.js';
import { createLedger } from './ledger.js';
import { createLoopAnswers } from './loop-answers.js';
import { createNotices } from './notices.js';
import { createOutbox } from './outbox.js';
import { createPageHandler } from './page-handler.js';
import { createRequestEvents } from './request-events.js';
import { createRequests } from './requests.js';
import { createSecondThoughts } from './second-thoughts.js';
import { createSending } from './sending.js';
import { createShown } from './shown.js';

/** The conversation in the editor. It takes messages of the page and commands, and posts messages to the page. */
export interface Chat {
  readonly busy: boolean;
  /** The session, once there is something in it. */
  readonly sessionId: string | undefined;
  readonly root: string | undefined;
  /** The model in use; `undefined` when none can be used yet. */
  readonly model: { readonly provider: string; readonly model: string } | undefined;
  readonly guard: GuardState;
  /** What the guard does, with which detectors and thresholds; empty before there is a conversation. */
  readonly guardRows: readonly Row[];
  /** The loop that is waiting for a decision. */
  readonly halted: HaltReport | undefined;
  /** What has to be fixed before anything can be sent. */
  readonly problem: SetUpProblem | undefined;
  /** Handles a message of the page. An invalid one is logged. */
  take(message: unknown): void;
  /** These resolve when what they started has ended, successfully or not. They never reject. */
  send(text: string): Promise<void>;
  /** Attaches a text of the editor to the next message that the user writes on the page. */
  attach(excerpt: Excerpt): Promise<void>;
  goOn(): Promise<void>;
  answerLoop(choice: Choice, hint?: string): Promise<void>;
  newChat(): Promise<void>;
  resume(id: string): Promise<void>;
  toggleDetection(): Promise<void>;
  /** To be called when settings, keys or trust have changed. A running request keeps what it started with. */
  refresh(): Promise<void>;
  stop(): void;
  /** Shows an event of another client as if ours had sent it. */
  show(event: ClientEvent): void;
  /** Focuses the composer. */
  compose(text?: string): void;
  /** Cancels and saves. */
  close(): Promise<void>;
}

export interface ChatOptions {
  readonly editor: Editor;
  readonly open: () => Promise<Agent>;
  /** Records what the tools of that agent write. */
  readonly edits: Edits;
  /** What a model costs, by the editor's settings. The agent's price list is the fallback. */
  readonly priceOf?: (model: string) => Price | undefined;
  /** How long events wait to be sent together, in milliseconds. */
  readonly pause?: number;
  /** Called when a session was written or the list of sessions has changed. */
  readonly onSessions?: () => void;
}

export function startChat(options: ChatOptions): Chat {
  const parts = createParts(options);
  const { desk, requests, ledger, outbox, notices, events, loops, sending, conversations, stop } = parts;
  const { safely } = notices;
  const take = takesMessages(options.editor, parts);
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
    send: (text) => safely(() => sending.send(text)),
    attach: (excerpt) => safely(() => sending.attach(excerpt)),
    goOn: () => safely(parts.goOn),
    answerLoop: (choice, hint) => safely(() => loops.answer(choice, hint)),
    newChat: () => safely(conversations.newChat),
    resume: (id) => safely(() => conversations.resume(id)),
    toggleDetection: () => safely(conversations.toggleDetection),
    refresh: () => safely(conversations.refresh),
    stop,
    show(event) {
      void safely(() => {
        if (typeof (event as { type?: unknown } | null)?.type !== 'string')
          throw new TypeError(`expected an event with a type from another client, got ${JSON.stringify(event)}`);
        options.editor.log('info', `An event of another client: ${event.type}`);
        events.onEvent(event);
      });
    },
    compose: (text) => outbox.send({ type: 'compose', text }),
    async close() {
      stop();
      await requests.ended;
      const { client } = desk;
      if (client !== undefined && client.history.length > 0) await safely(() => client.save());
      await options.edits.settled;
    },
  };
}

/** Creates the parts of a chat. Parts that need each other are connected here, by functions that are called later. */
function createParts(options: ChatOptions) {
  const { editor, open, edits, priceOf = () => undefined, pause = 40, onSessions = () => {} } = options;
  /** The page has loaded and waits for the conversation, which will replace whatever is posted before it. */
  const page = { opening: false };
  const outbox = createOutbox({
    post: (message) => editor.post(message),
    isOpen: () => editor.hasPage && !page.opening,
    pause,
    onFlush: () => shown.facts(),
  });
  const notices = createNotices({ editor, outbox });
  const approvals = createApprovals({
    onAsked(id, asked) {
      outbox.send({ type: 'approval', id, request: asked });
      if (!editor.visible) void notices.askToLook(`Approval needed: ${asked.call.tool}, ${asked.title}`);
    },
    onGone: (id) => outbox.send({ type: 'approval-gone', id }),
  });
  const requests = createRequests({
    onStart: (request, client) => events.onStart(request, client),
    onEvent: (event) => events.onEvent(event),
    onFault: notices.sayWrong,
    onEnd: () => events.onEnd(),
  });
  const desk = createDesk({
    ...{ editor, open, approve: approvals.ask, tell: notices.tell, onOpened: edits.open },
    busy: () => requests.current && requests.ended,
  });
  const ledger = createLedger({ desk, editor, edits, priceOf });
  const attachments = createAttachments({ editor, desk, outbox, tell: notices.tell });
  const shown = createShown({ editor, desk, ledger, requests, approvals, attachments, outbox });
  const common = { editor, desk, ledger, requests, attachments, approvals, outbox, shown, notices, edits };
  const sending = createSending(common);
  const loops = createLoopAnswers({ ...common, ...sending, onSettled: shown.state });
  const events = createRequestEvents({
    ...common,
    keep: (event) => requests.keep(event),
    askOutside: (report, cost) => void notices.safely(() => loops.askOutside(report, cost)),
    onSessions,
  });

  function stop(): void {
    requests.cancel();
    approvals.withdraw();
  }

  async function goOn(): Promise<void> {
    const { halted } = desk.client ?? {};
    return halted?.choices.includes('continue') ? loops.answer('continue') : sending.goOn();
  }

  const conversations = createConversations({ ...common, stop });
  const secondThoughts = createSecondThoughts({ ...common, sending });
  return { ...common, page, sending, loops, events, conversations, secondThoughts, stop, goOn };
}

/** Handles the messages of the page. The first one says that it has loaded. */
function takesMessages(editor: Editor, parts: ReturnType<typeof createParts>): (message: unknown) => void {
  const { desk, approvals, attachments, outbox, shown, notices, page } = parts;
  const { sending, loops, conversations, secondThoughts, stop, goOn } = parts;

  async function openPage(): Promise<void> {
    page.opening = true;
    try {
      await desk.connect();
      shown.conversation();
    } finally {
      page.opening = false;
      outbox.deliver();
    }
  }

  return createPageHandler({
    ...{ editor, desk, approvals, attachments, outbox, openPage, files: parts.edits.files },
    tell: notices.tell,
    showFacts: shown.facts,
    safely: notices.safely,
    actions: {
      send: (text) => sending.send(text, 'with attachments'),
      answerLoop: loops.answer,
      ...{ stop, goOn, ...conversations, ...secondThoughts },
    },
  });
}
