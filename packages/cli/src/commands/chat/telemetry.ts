import type { Trace } from '@loopfuse/agent';
import { startExport, telemetry } from '@loopfuse/telemetry';
import { messageOf } from 'loopfuse/words';

/** Where what the agent does is recorded: nowhere, unless the environment names an OTLP endpoint. */
export interface Recording {
  /** One for each client. */
  trace(): Trace | undefined;
  /** Sends what there is. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Never rejects: the endpoint may be meant for other programs, and what is wrong with it is no reason not to work. `tell` is
 * called with that, and with what could not be sent.
 */
export async function startRecording(env: NodeJS.ProcessEnv, tell: (message: string) => void): Promise<Recording> {
  const exported = await startExport({ environment: env, onProblem: tell }).catch((cause: unknown) => {
    tell(`Nothing is sent to OpenTelemetry: ${messageOf(cause)}`);
    return undefined;
  });
  return {
    trace: () => (exported === undefined ? undefined : telemetry(exported)),
    stop: async () => exported?.stop(),
  };
}
