import type { GatewayEvent, SessionFacts } from '@loopfuse/gateway';
import { createPrices } from '@loopfuse/prices';
import { type Finding, type Waste, wasteInWords } from 'loopfuse';
import { counted, dollars } from 'loopfuse/words';

/** One loop in the report of a run. */
export interface LoopOfRun {
  readonly session: string;
  readonly kind: Finding['kind'];
  readonly detector: string;
  readonly explanation: string;
  readonly waste: Waste;
  /** In dollars, where the model's price is known: an estimate by the session's share of input and output. */
  readonly cost?: number;
}

export interface RunReport {
  readonly version: 1;
  readonly program: string;
  readonly ended: 'loop' | 'agent';
  readonly exitCode: number;
  readonly requests: number;
  /** Requests that reached the model after the first loop was seen. */
  readonly requestsAfterLoop: number;
  readonly loops: readonly LoopOfRun[];
  readonly actions: readonly { readonly session: string; readonly action: string; readonly message: string }[];
  readonly sessions: readonly SessionFacts[];
  readonly faults: readonly string[];
}

/** Collects the data of a report from the events of a gateway. */
export function createRunRecord() {
  const loops = new Map<string, { finding: Finding; explanation: string; session: string; model: string }>();
  const actions: { session: string; action: string; message: string }[] = [];
  const faults: string[] = [];
  let requests = 0;
  let afterLoop = 0;
  return {
    take(event: GatewayEvent): void {
      if (event.type === 'finding' && event.finding.status === 'looping') {
        const { finding, explanation, session } = event;
        loops.set(`${session.key} ${finding.episode}`, {
          finding,
          explanation,
          session: session.name,
          model: session.model,
        });
      } else if (event.type === 'action')
        actions.push({ session: event.session.name, action: event.action, message: event.message });
      else if (event.type === 'fault') faults.push(event.message);
      else if (event.type === 'request') {
        requests++;
        if (loops.size > 0 && event.status === 200) afterLoop++;
      }
    },
    report(about: Pick<RunReport, 'program' | 'ended' | 'exitCode' | 'sessions'>): RunReport {
      const found = [...loops.values()].map(({ finding, explanation, session, model }) => {
        const cost = costOf(
          finding.waste,
          about.sessions.find(({ name }) => name === session),
          model,
        );
        const { kind, detector, waste } = finding;
        return { session, kind, detector, explanation, waste, ...(cost === undefined ? {} : { cost }) };
      });
      const { program, ended, exitCode, sessions } = about;
      const counts = { requests, requestsAfterLoop: afterLoop };
      return { version: 1, program, ended, exitCode, ...counts, loops: found, actions, sessions, faults };
    },
  };
}

/** The one line at the end of a run. */
export function closingLine({ loops, actions, requests, faults, ended }: RunReport): string {
  const trouble = faults.length === 0 ? '' : ` ${counted(faults.length, 'fault')}, the last: ${faults.at(-1)}.`;
  if (requests === 0 && faults.length > 0)
    return `loopfuse: no model has answered through the gateway, so nothing was watched.${trouble}`;
  if (requests === 0)
    return `loopfuse: no request came through the gateway, so nothing was watched. If the program has asked a model, it does not use the address that it was given.`;
  if (loops.length === 0) return `loopfuse: no loops in ${counted(requests, 'request')}.${trouble}`;
  const done = (action: string) => actions.filter((one) => one.action === action).length;
  const total = loops.reduce(
    (sum, { waste }) => ({
      calls: sum.calls + waste.calls,
      characters: sum.characters + waste.characters,
      tokens: sum.tokens + waste.tokens,
    }),
    { calls: 0, characters: 0, tokens: 0 },
  );
  const known = loops.flatMap(({ cost }) => cost ?? []);
  const money = known.length === 0 ? '' : `, about ${dollars(known.reduce((sum, cost) => sum + cost, 0))}`;
  const cost = wasteInWords(total);
  const steps = [
    done('steer') > 0 ? `told the model ${times(done('steer'))}` : '',
    done('block') > 0 ? `refused ${counted(done('block'), 'call')}` : '',
    ended === 'loop' ? 'ended the run' : '',
  ].filter((step) => step !== '');
  const acted = steps.length === 0 ? 'only watched' : steps.join(', ');
  return `loopfuse: ${counted(loops.length, 'loop')} in ${counted(requests, 'request')}: ${acted}.${cost === '' ? '' : ` Spent on it: ${cost}${money}.`} ${loops[0]!.explanation}${trouble}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function costOf({ tokens }: Waste, session: SessionFacts | undefined, model: string): number | undefined {
  if (session === undefined || tokens === 0) return undefined;
  const cost = createPrices().costOf({ ...session, cachedTokens: session.cachedTokens ?? 0 }, model);
  if (cost === undefined) return undefined;
  return Number(((cost * tokens) / (session.inputTokens + session.outputTokens)).toFixed(6));
}
