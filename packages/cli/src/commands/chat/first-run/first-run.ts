import { type ProviderFacts, type ProviderName, providerFacts } from '@loopfuse/agent';
import { type Editor, edit, startEditor, withText } from '../../../terminal/editor/editor.js';
import type { Key } from '../../../terminal/keys/key.js';

/** The settings that are known before the first question. */
export interface KnownBefore {
  readonly provider?: ProviderName | undefined;
  /** The provider whose key is set; it is selected first. */
  readonly likely?: ProviderName | undefined;
  readonly model?: string | undefined;
  readonly baseURL?: string | undefined;
  /** Whether the environment has a key for a provider. */
  hasKey(provider: ProviderName): boolean;
}

export type Step = 'provider' | 'address' | 'model' | 'key' | 'save';

/** The questions of a first run, one after the other. A value: keys give a new one. */
export interface FirstRun {
  readonly known: KnownBefore;
  readonly step: Step;
  /** Index of the choice that Enter would take, where there are choices. */
  readonly chosen: number;
  /** What is being typed, where something is. */
  readonly line: Editor;
  readonly answers: Answers;
  /** What is wrong with what was typed. */
  readonly problem?: string;
}

interface Answers {
  readonly provider?: ProviderName;
  readonly baseURL?: string;
  readonly model?: string;
  /** Never leaves memory. */
  readonly key?: string;
}

/** The answers. */
export interface Choice extends Answers {
  readonly provider: ProviderName;
  readonly model: string;
  readonly save: boolean;
}

export const offeredProviders = Object.keys(providerFacts) as readonly ProviderName[];
export const saveAnswers = [true, false] as const;

/** The first question. */
export function startFirstRun(known: KnownBefore): FirstRun {
  const { provider, model, baseURL } = known;
  const answers = {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(baseURL === undefined ? {} : { baseURL }),
  };
  return at(stepsFor(known, answers)[0]!, { known, step: 'provider', chosen: 0, line: startEditor(), answers });
}

/** What a key does: the next state, the choice at the end, or `leave`. Escape goes back, and leaves at the beginning. */
export function pressInFirstRun(run: FirstRun, key: Key): FirstRun | Choice | 'leave' {
  if (key.type === 'interrupt') return 'leave';
  if (key.type === 'close' && run.line.text === '') return 'leave';
  if (key.type === 'escape') return back(run);
  return run.step === 'provider' || run.step === 'save' ? choosing(run, key) : typing(run, key);
}

export function factsOf({ answers }: FirstRun): ProviderFacts {
  return providerFacts[answers.provider ?? 'openai-compatible'];
}

/** The questions to ask, in order, given the answers so far. */
function stepsFor(known: KnownBefore, { provider = known.likely ?? 'anthropic' }: Answers): readonly Step[] {
  const { needsAddress } = providerFacts[provider];
  return [
    ...(known.provider === undefined ? (['provider'] as const) : []),
    ...(needsAddress && known.baseURL === undefined ? (['address'] as const) : []),
    ...(known.model === undefined ? (['model'] as const) : []),
    ...(known.hasKey(provider) ? [] : (['key'] as const)),
    'save',
  ];
}

export function isFirst({ known, answers, step }: FirstRun): boolean {
  return stepsFor(known, answers)[0] === step;
}

function at(step: Step, run: FirstRun): FirstRun {
  const { problem, ...rest } = run;
  const { answers, known } = run;
  const likely = answers.provider ?? known.likely;
  const chosen = step === 'provider' && likely !== undefined ? offeredProviders.indexOf(likely) : 0;
  return { ...rest, step, chosen, line: withText(startEditor(), textAt(step, run)) };
}

/** The initial text of the line; Enter confirms it. */
function textAt(step: Step, run: FirstRun): string {
  if (step === 'model') return run.answers.model ?? factsOf(run).defaultModel ?? '';
  return step === 'address' ? (run.answers.baseURL ?? '') : '';
}

function back(run: FirstRun): FirstRun | 'leave' {
  const steps = stepsFor(run.known, run.answers);
  const before = steps[steps.indexOf(run.step) - 1];
  return before === undefined ? 'leave' : at(before, run);
}

function choosing(run: FirstRun, key: Key): FirstRun | Choice {
  const count = run.step === 'save' ? saveAnswers.length : offeredProviders.length;
  switch (key.type) {
    case 'up':
      return { ...run, chosen: (run.chosen + count - 1) % count };
    case 'down':
    case 'tab':
      return { ...run, chosen: (run.chosen + 1) % count };
    case 'enter':
      return take(run, run.chosen);
    case 'text': {
      const place = /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1;
      return place >= 0 && place < count ? take({ ...run, chosen: place }, place) : run;
    }
    default:
      return run;
  }
}

function take(run: FirstRun, place: number): FirstRun | Choice {
  if (run.step === 'provider') {
    const provider = offeredProviders[place]!;
    const changed = provider !== run.answers.provider;
    const { model } = run.known;
    return next({ ...run, answers: changed ? { provider, ...(model === undefined ? {} : { model }) } : run.answers });
  }
  const { provider, model, ...answers } = run.answers;
  return { ...answers, provider: provider!, model: model!, save: saveAnswers[place]! };
}

function next(run: FirstRun): FirstRun {
  const steps = stepsFor(run.known, run.answers);
  return at(steps[steps.indexOf(run.step) + 1]!, run);
}

function typing(run: FirstRun, key: Key): FirstRun {
  if (key.type !== 'enter') {
    const { problem, ...rest } = run;
    return { ...rest, line: edit(run.line, key.type === 'newline' ? { type: 'text', text: '' } : key) };
  }
  const text = run.line.text.trim();
  const problem = problemWith(text, run);
  return problem === undefined ? next({ ...run, answers: answered(run, text) }) : { ...run, problem };
}

function answered({ step, answers }: FirstRun, text: string): Answers {
  if (step === 'address') return { ...answers, baseURL: text };
  if (step === 'model') return { ...answers, model: text };
  const { key, ...rest } = answers;
  return text === '' ? rest : { ...rest, key: text };
}

function problemWith(text: string, run: FirstRun): string | undefined {
  if (run.step === 'address')
    return /^https?:\/\//i.test(text) && URL.canParse(text)
      ? undefined
      : 'Expected an address such as http://127.0.0.1:8080/v1.';
  if (/[\s\p{Cc}]/u.test(text)) return 'Expected one word, without spaces.';
  if (text !== '') return undefined;
  if (run.step === 'model') return 'Expected the name of a model.';
  return factsOf(run).needsKey ? 'Expected a key.' : undefined;
}
