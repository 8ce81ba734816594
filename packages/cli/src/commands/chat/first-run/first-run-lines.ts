import { type ProviderName, providerFacts } from '@loopfuse/agent';
import { type Line, span } from '../../../terminal/rich/span.js';
import { wrapSpans } from '../../../terminal/rich/wrap-spans.js';
import { choiceLines } from '../view/choice-lines.js';
import { editorLines } from '../view/editor-lines.js';
import type { Page } from '../view/page.js';
import { type FirstRun, factsOf, isFirst, offeredProviders, type Step, saveAnswers } from './first-run.js';

/** A question of the first run as lines. What is typed for a key is not among them. */
export function firstRunLines(run: FirstRun, page: Page): Line[] {
  const { glyphs } = page;
  const room = page.columns - 4;
  const said = (text: string, ...colours: readonly ('bold' | 'dim' | 'yellow')[]) =>
    wrapSpans([span(page.text(text), ...colours)], room);
  return [
    ...said('No model is set up yet.', 'dim'),
    ...answeredLines(run).flatMap((line) => said(line, 'dim')),
    [],
    ...said(questions[run.step](run), 'bold'),
    ...answerLines(run, { ...page, columns: room }),
    ...(run.problem === undefined ? [] : said(run.problem, 'yellow')),
    ...said(
      `${isChoice(run.step) ? 'Up, down and Enter, or a number' : 'Enter confirms'} ${glyphs.dot} ${whatEscapeDoes(run)}`,
      'dim',
    ),
  ];
}

function whatEscapeDoes(run: FirstRun): string {
  return isFirst(run) ? 'Esc leaves' : 'Esc goes back';
}

function answeredLines({ step, answers, known }: FirstRun): string[] {
  const { provider, baseURL, model } = answers;
  const lines = [
    ...(provider === undefined || step === 'provider' ? [] : [`Provider: ${providerFacts[provider].label}`]),
    ...(baseURL === undefined || step === 'address' ? [] : [`Address: ${baseURL}`]),
    ...(model === undefined || step === 'model' ? [] : [`Model: ${model}`]),
  ];
  if (step !== 'save' || provider === undefined) return lines;
  const [variable] = providerFacts[provider].keys;
  if (answers.key !== undefined) return [...lines, `Key: kept for this run only; set ${variable} to keep it`];
  return known.hasKey(provider) ? [...lines, 'Key: from the environment'] : lines;
}

const questions: { readonly [Name in Step]: (run: FirstRun) => string } = {
  provider: () => 'Who runs the model?',
  address: () => 'Where is the server? With the version, as in http://127.0.0.1:8080/v1',
  model: () => 'Which model? As the provider calls it.',
  key(run) {
    const { needsKey, keys } = factsOf(run);
    const which = needsKey ? `The key (${keys[0]} is not set).` : 'The key, if the server wants one; Enter for none.';
    return `${which} It is not shown, and kept for this run only.`;
  },
  save: () => 'Save provider and model, without the key, for the next time?',
};

function isChoice(step: Step): boolean {
  return step === 'provider' || step === 'save';
}

function answerLines(run: FirstRun, page: Page): Line[] {
  switch (run.step) {
    case 'provider': {
      const choices = offeredProviders.map((name, k) => ({
        key: String(k + 1),
        label: providerFacts[name].label,
        about: aboutProvider(name, run),
      }));
      return choiceLines(choices, run.chosen, page);
    }
    case 'save': {
      const labels = { true: 'Yes, in ~/.loopfuse/settings.json', false: 'No, only this time' };
      const choices = saveAnswers.map((save, k) => ({ key: String(k + 1), label: labels[`${save}`] }));
      return choiceLines(choices, run.chosen, page);
    }
    case 'key': {
      const dots = (page.utf8 ? '•' : '*').repeat(run.line.text.length);
      return editorLines({ ...run.line, text: dots }, page, 2);
    }
    case 'address':
    case 'model':
      return editorLines(run.line, page, 3);
  }
}

function aboutProvider(name: ProviderName, { known }: FirstRun): string {
  const { defaultModel = '', keys, needsAddress } = providerFacts[name];
  if (needsAddress) return 'another server that speaks like it, such as a local one';
  return known.hasKey(name) ? `${defaultModel}; ${keys[0]} is set` : defaultModel;
}
