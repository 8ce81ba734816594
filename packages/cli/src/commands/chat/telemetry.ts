import type { Trace } from '@loopfuse/agent';
import { startExport, telemetry } from '@loopfuse/telemetry';
import { messageOf } from 'loopfuse/words';
import { UsageError } from '../../usage-error.js';

/** Where what the agent does is recorded: nowhere, unless the environment names an OTLP endpoint. */
export interface Recording {
  /** One for each client. */
  trace(): Trace | undefined;
  /** Sends what there is. Never rejects. */
  stop(): Promise<void>;
}

/** Throws `UsageError` where the endpoint makes no sense or cannot be sent to. `tell` hears what could not be sent. */
export async function startRecording(env: NodeJS.ProcessEnv, tell: (message: string) => void): Promise<Recording> {
  try {
    const exported = await startExport({ environment: env, onProblem: tell });
    return {
      trace: () => (exported === undefined ? undefined : telemetry(exported)),
      stop: async () => exported?.stop(),
    };
  } catch (cause) {
    throw new UsageError(messageOf(cause));
  }
}
