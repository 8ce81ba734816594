import { createJudge, type JudgeOptions, type JudgeSnapshot, resumeJudge } from '@loopfuse/judge';
import { createPrices } from '@loopfuse/prices';
import type { Fault, Finding, ToolRules, Verdict } from 'loopfuse';
import { presets } from 'loopfuse/presets';
import type { Judge as AgentJudge } from '../judge.js';
import { createModel, type StoredKeys } from '../model/create-model.js';
import type { Session } from '../session/session.js';
import type { Settings } from '../settings/settings.js';
import type { Environment } from '../tools/run-shell-command/environment.js';

type JudgeSettings = NonNullable<Settings['judge']>;

/** Where keys come from. */
export interface KeySources {
  readonly env: Environment;
  readonly keys: StoredKeys;
}

/**
 * The judge that the settings ask for, as the agent wants it; who it is must be told by the settings of the agent where
 * its own say nothing. Throws where its model cannot be had.
 */
export function secondOpinion(
  judge: JudgeSettings,
  settings: Settings,
  sources: KeySources,
  session: Session | undefined,
  onFault: (fault: Fault) => void,
): AgentJudge {
  const options: JudgeOptions = {
    ...counsel(judge, settings, judge.model, sources),
    ...(judge.confirmModel === undefined ? {} : { confirm: counsel(judge, settings, judge.confirmModel, sources) }),
    schedule: judge.schedule ?? presets[settings.preset ?? 'balanced'].judge ?? 'evidence',
    ...(settings.tools === undefined ? {} : { tools: settings.tools as ToolRules }),
    onFault,
  };
  const saved = (session as { judge?: JudgeSnapshot } | undefined)?.judge;
  const own = saved === undefined ? createJudge(options) : resumeJudge(options, saved);
  return {
    consult: ({ request }, signal) => own.consult({ request }, signal),
    observe: (event, findings) => own.observe(event, verdictOf(findings)),
    get spending() {
      return own.spending;
    },
    snapshot: () => JSON.parse(JSON.stringify(own.snapshot())),
  };
}

function counsel(judge: JudgeSettings, settings: Settings, model: string, { env, keys }: KeySources) {
  const { provider, baseURL, apiKeyEnv } =
    judge.provider === undefined && judge.baseURL === undefined ? settings : judge;
  const chosen = createModel({ provider, baseURL, apiKeyEnv: judge.apiKeyEnv ?? apiKeyEnv, model }, env, keys);
  const price = createPrices().priceOf(model);
  return { model: chosen.model as JudgeOptions['model'] & object, ...(price === undefined ? {} : { price }) };
}

function verdictOf(findings: readonly Finding[]): Verdict {
  const [first, ...rest] = findings;
  if (first === undefined) return { status: 'clear' };
  const status = findings.some((finding) => finding.status === 'looping') ? 'looping' : 'suspect';
  return { status, findings: [first, ...rest] };
}
