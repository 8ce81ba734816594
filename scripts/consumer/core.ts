import { type AgentEvent, createGuard, createWatch, type Decision, defineDetector, type Finding } from 'loopfuse';
import { staleRounds } from 'loopfuse/detectors';
import { balanced } from 'loopfuse/presets';
import { LoopDetectionService } from 'loopfuse/service';

const events: AgentEvent[] = [
  { type: 'prompt', text: 'Fix the tests.' },
  { type: 'tool-call', id: '1', tool: 'read_file', input: { path: 'a.ts', lines: [1, 20] } },
  { type: 'tool-result', id: '1', output: 'export {};' },
];

const everyCall = defineDetector({
  name: 'every-call',
  reads: ['tool-call'],
  start: () => ({ calls: 0 }),
  observe(state, event, seq) {
    state.calls++;
    return event.tool === 'read_file'
      ? { kind: 'stall', status: 'suspect', onset: seq, confidence: 0.1, evidence: { calls: state.calls } }
      : undefined;
  },
  explain: ({ calls }) => `${calls} calls were made.`,
});

const findings: Finding[] = [];
const watch = createWatch({ detectors: [...balanced(), everyCall], tools: { 'mcp_*': { effect: 'read' } } });
for (const event of events) {
  const verdict = watch.observe(event);
  if (verdict.status !== 'clear') findings.push(...verdict.findings);
}

const guard = createGuard({ detectors: [staleRounds({ times: 4 })], onFinding: (finding) => findings.push(finding) });
const decisions: Decision[] = events.map((event) => guard.observe(event));
guard.release({ type: 'continue' });

const service = new LoopDetectionService({ preset: 'gemini-cli', model: () => 'some-model' });
service.reset('prompt-1');
export const looping: boolean = service.addAndCheck({ type: 'content', value: 'Hello.' });
export const messages: string[] = decisions.flatMap((decision) => ('message' in decision ? [decision.message] : []));
