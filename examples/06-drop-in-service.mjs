// The drop-in for agents of the Gemini CLI family: the class and the methods that they call already, with our engine
// behind them. `preset` chooses whose eyes it has: balanced (ours), gemini-cli, qwen-code or deepv-code.
//
// Prints: gemini-cli: a loop at call 5 (consecutive_identical_tool_calls)
// Prints: deepv-code: a loop at call 10 (consecutive_identical_tool_calls)
// Prints: after disableForSession: false
import { LoopDetectionService } from 'loopfuse/service';

const request = { type: 'tool_call_request', value: { name: 'read_file', args: { path: 'README.md' } } };

for (const preset of ['gemini-cli', 'deepv-code']) {
  const service = new LoopDetectionService({
    preset,
    model: () => 'a-model',
    onDetected: ({ type, promptId }) => console.log(`  told once: ${type} in ${promptId}`),
    log: (level, line) => console.log(`  ${level}: ${line}`),
  });
  service.reset('prompt-1');
  if (await service.turnStarted(new AbortController().signal)) throw new Error('it has not even begun');
  let calls = 1;
  while (!service.addAndCheck(request)) calls++;
  console.log(`${preset}: a loop at call ${calls} (${service.getDetectedLoopType()})`);
  service.disableForSession();
  console.log(`  after disableForSession: ${service.addAndCheck(request)}`);
}
