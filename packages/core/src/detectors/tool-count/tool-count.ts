import { type Detector, defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { shortTool } from '../../step/identity.js';
import { exactPrint } from '../../value/exact-print.js';

export interface ToolCountOptions {
  /** How many calls of one tool, between two prompts, are a loop. */
  readonly times?: number;
  /** The same for certain tools, by name. */
  readonly timesFor?: { readonly [tool: string]: number };
  /** Asked at each prompt. Before the first prompt, and while it is false, no call counts. Without it, all count. */
  readonly onlyIf?: () => boolean;
}

type State = {
  counting: boolean;
  /** Least recently called first; a name is kept as its fingerprint. */
  tools: { name: number; count: number; onset: number }[];
};

type Evidence = { tool: string; times: number; limit: number };

/** With more tools than this in one request, the one called least recently is forgotten. */
const mostTools = 256;

/** Sees a tool called `times` times since the prompt, whatever its inputs and whatever happened in between. */
export function toolCount({ times = 5, timesFor = {}, onlyIf }: ToolCountOptions = {}): Detector {
  requireInteger('toolCount: times', times, 2);
  const limits = new Map(Object.entries(timesFor));
  for (const [tool, limit] of limits) requireInteger(`toolCount: timesFor ${JSON.stringify(tool)}`, limit, 2);
  return defineDetector<'prompt' | 'tool-call', State, Evidence>({
    name: 'tool-count',
    options: () => (onlyIf?.() === false ? undefined : { times, timesFor }),
    reads: ['prompt', 'tool-call'],
    start: () => ({ counting: onlyIf === undefined, tools: [] }),
    observe(state, event, seq) {
      if (event.type === 'prompt') {
        state.tools = [];
        state.counting = onlyIf === undefined || onlyIf();
        return undefined;
      }
      if (!state.counting) return undefined;
      const { count, onset } = countCall(state.tools, exactPrint(event.tool), seq);
      const limit = limits.get(event.tool) ?? times;
      if (count < limit) return undefined;
      const tool = shortTool(event.tool);
      return {
        kind: 'repeated-calls',
        status: 'looping',
        onset,
        confidence: 0.6,
        evidence: { tool, times: count, limit },
        tools: [tool],
      };
    },
    explain: ({ tool, times: count, limit }) =>
      `${tool} was called ${count} times in one request (the limit is ${limit}).`,
  });
}

function countCall(tools: State['tools'], name: number, seq: number): State['tools'][number] {
  const at = tools.findIndex((tool) => tool.name === name);
  const [tool = { name, count: 0, onset: 0 }] = at < 0 ? [] : tools.splice(at, 1);
  tool.count++;
  if (tool.count === 2) tool.onset = seq;
  tools.push(tool);
  if (tools.length > mostTools) tools.shift();
  return tool;
}
