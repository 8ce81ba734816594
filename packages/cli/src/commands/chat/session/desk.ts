import type { Approve, Client, Trace } from '@loopfuse/agent';
import type { Known } from '@loopfuse/conversation';
import type { Agent, Kept } from '../open-agent.js';
import type { Facts } from '../screen/state.js';

/** The open conversation, with its client and facts. */
export interface Desk {
  readonly client: Client;
  readonly facts: Facts;
  readonly known: Known;
  /** Opens a kept session, or begins an empty one. */
  open(kept: Kept | undefined): void;
  /** Reopens the same session with its guard switched on, which needs a new client. */
  openWatched(): Promise<void>;
}

export interface DeskOptions {
  readonly agent: Agent;
  readonly kept: Kept | undefined;
  readonly approve: Approve;
  /** Receives what the agent does; a new one for each session. */
  readonly trace: () => Trace | undefined;
}

export function createDesk({ agent, kept, approve, trace }: DeskOptions): Desk {
  const clientOf = (one: Kept | undefined): Client => agent.open({ approve, trace: trace() }, one);
  let client = clientOf(kept);

  async function watched(): Promise<Kept | undefined> {
    if (client.history.length === 0) return undefined;
    await client.save();
    const { session, file } = await agent.find(client.sessionId);
    const { guard } = session;
    return { session: guard === undefined ? session : { ...session, guard: { ...guard, disabled: false } }, file };
  }

  return {
    get client() {
      return client;
    },
    get facts() {
      return { model: agent.model.name, approval: client.approval, contextLimit: client.context.limit };
    },
    get known(): Known {
      return { guard: client.guard.disabled ? 'off' : 'watching', usage: client.usage, price: agent.price };
    },
    open(one) {
      client = clientOf(one);
    },
    async openWatched() {
      const { approval } = client;
      client = clientOf(await watched());
      client.approval = approval;
    },
  };
}
