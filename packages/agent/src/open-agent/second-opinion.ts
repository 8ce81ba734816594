import { createJudge, type JudgeOptions, type JudgeSnapshot, resumeJudge } from '@loopfuse/judge';
import { createPrices, type Price } from '@loopfuse/prices';
import type { Fault, Finding, ToolRules, Verdict } from 'loopfuse';
import { presets } from 'loopfuse/presets';
import type { Judge as AgentJudge } from '../judge.js';
import type { ChosenModel } from '../model/create-model.js';
import type { Session } from '../session/session.js';
import type { Settings } from '../settings/settings.js';
import { besides, type ModelSources } from './besides.js';

type JudgeSettings = NonNullable<Settings['judge']>;

/** The options of a judge. */
export interface SecondOpinionOptions {
  readonly settings: Settings;
  readonly sources: ModelSources;
  /** The current model of the conversation, which judges where no other is named. */
  readonly conversation: () => ChosenModel;
  /** Its price, as set by the user or from the list. `undefined` where it is not known. */
  readonly price: Price | undefined;
  readonly session: Session | undefined;
  readonly onFault: (fault: Fault) => void;
}

/**
 * The judge of the settings, or else of the preset; `undefined` where neither asks for one. Its provider is that of the
 * agent where its own settings name none. Throws where its model cannot be made.
 */
export function secondOpinion(options: SecondOpinionOptions): AgentJudge | undefined {
  const { settings, sources, conversation, session } = options;
  const byPreset = presets[settings.preset ?? 'balanced'].judge;
  const { judge = byPreset === undefined ? undefined : {} } = settings;
  if (judge === undefined || judge.disable === true) return undefined;
  const schedule = judge.schedule ?? byPreset ?? 'evidence';
  let failure: string | undefined;
  const judging: JudgeOptions = {
    ...(judge.model === undefined
      ? sameModel(conversation, options.price)
      : counsel(judge, settings, judge.model, sources)),
    ...(judge.confirmModel === undefined ? {} : { confirm: counsel(judge, settings, judge.confirmModel, sources) }),
    schedule,
    ...(settings.tools === undefined ? {} : { tools: settings.tools as ToolRules }),
    onFault(fault) {
      failure = fault.message;
      options.onFault(fault);
    },
  };
  const saved = (session as { judge?: JudgeSnapshot } | undefined)?.judge;
  const own = saved === undefined ? createJudge(judging) : resumeJudge(judging, saved);
  return {
    get name() {
      return judge.model ?? conversation().name;
    },
    schedule,
    get failure() {
      return failure;
    },
    async consult({ request }, signal) {
      const opinion = await own.consult({ request }, signal);
      if (opinion !== undefined) failure = undefined;
      return opinion;
    },
    observe: (event, findings) => own.observe(event, verdictOf(findings)),
    get spending() {
      return own.spending;
    },
    snapshot: () => JSON.parse(JSON.stringify(own.snapshot())),
  };
}

/** The model of the conversation, also after another one was chosen. */
function sameModel(conversation: () => ChosenModel, price: Price | undefined): Pick<JudgeOptions, 'model' | 'price'> {
  type Model = Extract<JudgeOptions['model'], object>;
  const now = () => conversation().model as Model;
  const model: Model = {
    get specificationVersion() {
      return now().specificationVersion;
    },
    get provider() {
      return now().provider;
    },
    get modelId() {
      return now().modelId;
    },
    doGenerate: (request) => now().doGenerate(request),
  };
  return { model, ...(price === undefined ? {} : { price }) };
}

function counsel(judge: JudgeSettings, settings: Settings, model: string, sources: ModelSources) {
  const chosen = besides(judge, settings, model, sources);
  const price = createPrices().priceOf(model);
  return { model: chosen.model as JudgeOptions['model'] & object, ...(price === undefined ? {} : { price }) };
}

function verdictOf(findings: readonly Finding[]): Verdict {
  const [first, ...rest] = findings;
  if (first === undefined) return { status: 'clear' };
  const status = findings.some((finding) => finding.status === 'looping') ? 'looping' : 'suspect';
  return { status, findings: [first, ...rest] };
}
