import {
  type Agent,
  type ApprovalMode,
  type Approve,
  approvalModes,
  type Carried,
  type Client,
  type Kept,
  SetUpError,
  type SetUpProblem,
} from '@loopfuse/agent';
import { messageOf } from 'loopfuse/words';
import type { Tone } from '../../protocol/index.js';
import type { Editor } from '../editor.js';
import { isCut } from './is-cut.js';

/**
 * Holds the agent, opened with the current settings, keys and trust, and the current conversation, which survives a change of
 * settings. Changes run one after the other, and never while a request is running.
 */
export interface Desk {
  readonly agent: Agent | undefined;
  readonly client: Client | undefined;
  /** Why nothing can be sent, in words; `undefined` if something can. */
  readonly blocked: string | undefined;
  /** The same reason as data, if it is known. */
  readonly problem: SetUpProblem | 'untrusted' | undefined;
  /** Whether the conversation was resumed with its last request interrupted, and that request was not continued since. */
  cut: boolean;
  /** Opens the agent unless that was tried before. */
  connect(): Promise<void>;
  /** Opens it as well, and waits for all changes. Must not be called while a request is running. */
  settled(): Promise<void>;
  /** Opens it again, because settings, keys or trust have changed. */
  reconnect(): Promise<void>;
  /** Starts a new conversation. */
  begin(): Promise<void>;
  /** Resumes an earlier conversation. Rejects if there is none with that id. */
  resume(id: string): Promise<void>;
  setApproval(mode: ApprovalMode): void;
  /** Switches loop detection off, or on again. False if the settings keep it off. */
  setDetection(on: boolean): Promise<boolean>;
}

export interface DeskOptions {
  readonly editor: Editor;
  /** Opens the agent. Throws `SetUpError` for what the user must fix. */
  readonly open: () => Promise<Agent>;
  readonly approve: Approve;
  /** Shows a note on the page. */
  readonly tell: (text: string, tone?: Tone) => void;
  /** Resolves when the running request has ended; `undefined` if none is running. */
  readonly busy: () => Promise<void> | undefined;
  /** Called when another conversation was opened, with the session it was resumed from. Must not reject. */
  readonly onOpened: (session: string | undefined) => Promise<void>;
}

const untrusted = 'This folder is not trusted: nothing is sent to a model and no tool runs until you trust it.';

export function createDesk({ editor, open, approve, tell, busy, onOpened }: DeskOptions): Desk {
  let agent: Agent | undefined;
  let client: Client | undefined;
  let problem: { readonly error: Error; readonly what: SetUpProblem | undefined } | undefined;
  let cut = false;
  let mode: ApprovalMode | undefined;
  let first: Promise<void> | undefined;
  let changing: Promise<unknown> = Promise.resolve();

  function change<Value>(work: () => Promise<Value>): Promise<Value> {
    const changed = changing.then(work);
    changing = changed.catch(() => {});
    return changed;
  }

  /** Opens the conversation that `find` returns once no request is running, or a new one. */
  async function openConversation(
    on: Agent,
    find: () => Promise<Carried | undefined> = async () => undefined,
  ): Promise<void> {
    await busy();
    let kept = await find();
    for (let working = busy(); working !== undefined; working = busy()) {
      await working;
      kept = await find();
    }
    client = on.open({ approve, log: (level, message, data) => editor.log(level, message, data) }, kept);
    if (mode !== undefined) client.approval = mode;
    cut = kept !== undefined && isCut(kept.session);
    await onOpened(kept?.session.id);
  }

  async function openUp(): Promise<void> {
    try {
      const next = await open();
      for (const warning of next.warnings) editor.log('warn', warning);
      tighten(next);
      await openConversation(next, () => keptOf(next));
      agent = next;
      problem = undefined;
      const { provider, name } = next.model;
      editor.log('info', `Works in ${next.root} with ${name} of ${provider}`, { settings: next.files });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(messageOf(cause));
      problem = { error, what: error instanceof SetUpError ? error.problem : undefined };
      editor.log(error instanceof SetUpError ? 'warn' : 'error', `The agent cannot be opened: ${error.message}`);
    }
  }

  /** A stricter approval mode in the settings takes effect at once, also for a running request. */
  function tighten({ settings }: Agent): void {
    const { approval = 'ask' } = settings;
    if (agent === undefined || approval === (agent.settings.approval ?? 'ask')) return;
    mode = undefined; // the mode that was chosen on the page is older than this change
    if (client !== undefined && approvalModes.indexOf(approval) < approvalModes.indexOf(client.approval)) {
      client.approval = approval;
      editor.log('info', `Approval is ${approval} from now on`);
    }
  }

  /** The current conversation, or the one that was open when the window was closed. */
  async function keptOf(next: Agent): Promise<Carried | undefined> {
    const here = client !== undefined && agent?.root === next.root ? client : undefined;
    if (here !== undefined) return here.history.length === 0 ? undefined : carriedOver(next, here);
    const id = editor.opened?.id;
    try {
      return id === undefined ? undefined : await next.find(id);
    } catch (cause) {
      editor.log('warn', `The session ${id} cannot be resumed: ${messageOf(cause)}`);
      const isGone = cause instanceof SetUpError && cause.problem.type === 'session';
      if (!isGone) tell(`The last conversation cannot be opened: ${messageOf(cause)}.`, 'warning');
      return undefined;
    }
  }

  /** The current conversation, from its file or, if that cannot be written or read, from memory. */
  async function carriedOver(next: Agent, here: Client): Promise<Carried> {
    try {
      await here.save();
      return await next.find(here.sessionId); // a save may have given it a new id
    } catch (cause) {
      editor.log(
        'warn',
        `The session ${here.sessionId} cannot be saved or read; it continues in memory: ${messageOf(cause)}`,
      );
      return { session: here.session() };
    }
  }

  function connect(): Promise<void> {
    first ??= change(openUp);
    return first;
  }

  function opened(): Agent {
    if (agent === undefined) throw problem?.error ?? new Error('The agent cannot be opened.');
    return agent;
  }

  /** The current conversation with the guard switched on again. Only a new client can do that. */
  async function watched(on: Agent, here: Client): Promise<Kept | undefined> {
    if (here.history.length === 0) return undefined;
    await here.save();
    const { session, file } = await on.find(here.sessionId);
    const { guard } = session;
    return { session: guard === undefined ? session : { ...session, guard: { ...guard, disabled: false } }, file };
  }

  return {
    get agent() {
      return agent;
    },
    get client() {
      return client;
    },
    get blocked() {
      return editor.trusted ? problem?.error.message : untrusted;
    },
    get problem() {
      return editor.trusted ? problem?.what : 'untrusted';
    },
    get cut() {
      return cut;
    },
    set cut(value) {
      cut = value;
    },
    connect,
    async settled() {
      await connect();
      await changing;
    },
    reconnect: () => change(openUp),
    async begin() {
      await connect();
      await change(async () => {
        await openConversation(opened());
        editor.opened = undefined;
      });
    },
    async resume(id) {
      await connect();
      await change(async () => {
        const on = opened();
        const kept = await on.find(id);
        await openConversation(on, async () => kept);
        editor.opened = { id: kept.session.id };
      });
    },
    setApproval(next) {
      mode = next;
      if (client !== undefined) client.approval = next;
    },
    async setDetection(on) {
      await connect();
      if (client === undefined || client.guard.disabled !== on) return true;
      if (!on) {
        client.release({ type: 'disable' });
        return true;
      }
      return change(async () => {
        const at = opened();
        const now = client;
        if (at.settings.disable === true) return false;
        await openConversation(at, async () => now && watched(at, now));
        return true;
      });
    },
  };
}
