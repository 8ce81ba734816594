import type { Approve, Client, Trace } from '@loopfuse/agent';
import type { Known } from '@loopfuse/conversation';
import type { Agent, Kept } from '../open-agent.js';
import type { Facts } from '../screen/state.js';

/** The conversation that is open, and what is known of it beside its words. */
export interface Desk {
  readonly client: Client;
  readonly facts: Facts;
  readonly known: Known;
  /** Takes up another one, or begins an empty one. */
  open(kept: Kept | undefined): void;
  /** Goes on with the same one, its guard switched on again: only a new client has that. */
  openWatched(): Promise<void>;
}

export interface DeskOptions {
  readonly agent: Agent;
  readonly kept: Kept | undefined;
  readonly approve: Approve;
  /** Hears what the agent does; a new one for each session. */
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
