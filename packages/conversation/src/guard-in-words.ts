import type { Client, Settings } from '@loopfuse/agent';
import { type Detector, type DetectorOptions, type Exemption, type Guard, policies } from 'loopfuse';
import { presets } from 'loopfuse/presets';
import { counted, dollars, grouped } from 'loopfuse/words';
import type { Row } from './item.js';

/**
 * The state of the guard for users: its circuit, each active detector with its options, the exemptions, and what the judge
 * has cost.
 */
export function guardInWords(client: Client, settings: Settings): readonly Row[] {
  const { preset = 'balanced', policy = presets[preset].policy, tools = {}, rewinds = 0, escalate } = settings;
  const { guard, judge } = client;
  const { exemptions } = guard.snapshot().watch;
  const rules = Object.entries(tools).map(([tool, rule]) => `${tool} ${JSON.stringify(rule)}`);
  return [
    ['Guard', policy === 'shadow' && !guard.disabled ? shadowInWords(guard) : stateInWords(guard)],
    ['Preset', `${preset}: ${presets[preset].description}`],
    ['Policy', `${policy}: ${policies[policy].description}`],
    ...detectorRows(client),
    ...(rules.length === 0 ? [] : [['Tools', rules.join('; ')] as const]),
    [
      'Recovery',
      `${counted(rewinds, 'rewind')}, ${escalate === undefined ? 'no stronger model' : `${escalate.model} for ${counted(escalate.times ?? 1, 'turn')}`}`,
    ],
    ['Exempt', exemptions.length === 0 ? 'nothing' : exemptions.map(exemptionInWords).join(', ')],
    ['Judge', judgeInWords(judge)],
  ];
}

/** A row for each active detector. Only the first row has a name. */
function detectorRows({ detectors, guard, judge }: Client): readonly Row[] {
  const active = guard.disabled ? [] : detectors.filter((one) => judge !== undefined || !needsJudge(one));
  const lines = active.map((one) =>
    [one.name, optionsInWords(one.options?.())].filter((part) => part !== '').join(': '),
  );
  return [['Detectors', lines[0] ?? 'none'], ...lines.slice(1).map((line) => ['', line] as const)];
}

function needsJudge({ reads }: Detector): boolean {
  return reads.every((type) => type === 'opinion');
}

/** As in "times 3, longest 16"; options within options, as of detectors under one latch, stand in brackets. */
function optionsInWords(options: DetectorOptions = {}): string {
  return Object.entries(options)
    .map(([name, value]) => {
      if (typeof value !== 'object' || value === null) return value === undefined ? '' : `${name} ${String(value)}`;
      const inner = optionsInWords(value as DetectorOptions);
      return inner === '' ? '' : `${name} (${inner})`;
    })
    .filter((part) => part !== '')
    .join(', ');
}

function judgeInWords(judge: Client['judge']): string {
  if (judge === undefined) return 'none';
  const { name = 'a model', schedule = 'its own', spending, failure } = judge;
  const spent =
    spending === undefined || spending.calls === 0
      ? 'not asked yet'
      : [
          counted(spending.calls, 'call'),
          ...(spending.failures ? [`${counted(spending.failures, 'consultation')} without an opinion`] : []),
          `${grouped(spending.inputTokens)} tokens in and ${grouped(spending.outputTokens)} out`,
          ...(spending.cost === undefined ? [] : [dollars(spending.cost)]),
        ].join(', ');
  return `${name}, ${schedule} schedule; ${spent}${failure === undefined ? '' : `. The last one failed: ${failure}`}`;
}

function stateInWords({ circuit, disabled }: Guard): string {
  if (disabled) return 'off for this session';
  return `${states[circuit.state]}, ${counted(circuit.trips, 'trip')} in this request`;
}

/** The shadow policy does nothing: the model gets no message either. */
function shadowInWords({ circuit: { trips } }: Guard): string {
  return `watching only; would have acted ${counted(trips, 'time')} in this request`;
}

const states = {
  closed: 'watching',
  probation: 'watching closely: the model was told',
  open: 'watching, after it has halted the request',
} as const;

function exemptionInWords(exemption: Exemption): string {
  if ('kind' in exemption) return `loops of the kind ${exemption.kind}`;
  return exemption.containing === undefined
    ? exemption.tool
    : `${exemption.tool} with ${JSON.stringify(exemption.containing)}`;
}
