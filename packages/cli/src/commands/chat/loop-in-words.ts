import { type Client, guardSettings, type Settings } from '@loopfuse/agent';
import { type Exemption, policies } from 'loopfuse';
import { presets } from 'loopfuse/presets';
import { counted, dollars, grouped } from 'loopfuse/words';
import type { Row } from './screen/item.js';

/** What `/loop` tells: what the guard is doing, with which thresholds, and what it leaves alone. */
export function loopInWords({ guard, judge }: Client, settings: Settings, model: string): readonly Row[] {
  const { preset = 'balanced', policy = presets[preset].policy, detectors = {}, tools = {} } = settings;
  const { circuit, disabled } = guard;
  const { exemptions } = guard.snapshot().watch;
  const rules = Object.entries(tools).map(([tool, rule]) => `${tool} ${JSON.stringify(rule)}`);
  const thresholds = preset === 'balanced' ? Object.entries(detectors) : [];
  return [
    [
      'Guard',
      disabled ? 'off for this session' : `${states[circuit.state]}, ${counted(circuit.trips, 'trip')} in this request`,
    ],
    ['Preset', `${preset}: ${presets[preset].description}`],
    ['Policy', `${policy}: ${policies[policy].description}`],
    [
      'Detectors',
      guardSettings(settings, () => model)
        .detectors.map(({ name }) => name)
        .join(', ') || 'none',
    ],
    [
      'Thresholds',
      thresholds.length === 0
        ? 'as the preset has them'
        : thresholds
            .map(([name, options]) => `${name} ${options === false ? 'left out' : JSON.stringify(options)}`)
            .join('; '),
    ],
    ...(rules.length === 0 ? [] : [['Tools', rules.join('; ')] as const]),
    [
      'Recovery',
      `${counted(settings.rewinds ?? 0, 'rewind')}, ${settings.escalate === undefined ? 'no stronger model' : `${settings.escalate.model} for ${counted(settings.escalate.times ?? 1, 'turn')}`}`,
    ],
    ['Exempt', exemptions.length === 0 ? 'nothing' : exemptions.map(exemptionInWords).join(', ')],
    ['Judge', judgeInWords(judge)],
  ];
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
  return `${name}, ${schedule} schedule; ${spent}${failure === undefined ? '' : `. The last time: ${failure}`}`;
}

const states = {
  closed: 'watching',
  probation: 'watching closely: the model was told',
  open: 'halted the request',
} as const;

function exemptionInWords(exemption: Exemption): string {
  if ('kind' in exemption) return `loops of the kind ${exemption.kind}`;
  return exemption.containing === undefined
    ? exemption.tool
    : `${exemption.tool} with ${JSON.stringify(exemption.containing)}`;
}
