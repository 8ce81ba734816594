import type { Trace } from '@loopfuse/agent';
import { startExport, telemetry } from '@loopfuse/telemetry';
import { messageOf } from 'loopfuse/words';

/** Records what the agent does, if the environment names an OTLP endpoint. */
export interface Recording {
  /** One for each client. */
  trace(): Trace | undefined;
  /** Sends what was recorded. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Never rejects: the endpoint may be meant for other programs, and a problem with it must not stop the agent. `tell` is
 * called with such problems.
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
