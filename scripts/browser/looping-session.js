/** Plays a looping agent and a chanting one through the engine, and tells what came of it as plain JSON. */
export function play({ balanced, createGuard, createWatch, resumeGuard, unattended }) {
  const faults = [];
  const onFault = ({ where, message }) => faults.push(`${where}: ${message}`);
  const options = { detectors: balanced(), policy: unattended, onFault };

  let guard = createGuard(options);
  const decisions = readingAgain(12).map((event, k) => {
    if (k === 7) guard = resumeGuard(options, JSON.parse(JSON.stringify(guard.snapshot())));
    return guard.observe(event).type;
  });

  const watch = createWatch(options);
  const chant = 'I will check the configuration once more. '.repeat(60);
  const findings = [{ type: 'prompt' }, ...[...chant].map((text) => ({ type: 'text', text }))].flatMap((event) => {
    const verdict = watch.observe(event);
    return verdict.status === 'clear' ? [] : verdict.findings;
  });

  return {
    decisions,
    circuit: guard.circuit.state,
    explanation: guard.circuit.because?.map((finding) => guard.explain(finding)) ?? [],
    chant: findings.slice(0, 3).map((finding) => ({ ...finding, explanation: watch.explain(finding) })),
    faults,
  };
}

function readingAgain(times) {
  const events = [{ type: 'prompt', text: 'Why does the build fail?' }];
  for (let k = 0; k < times; k++) {
    events.push({ type: 'tool-call', id: `call-${k}`, tool: 'read_file', input: { path: 'src/config.ts' } });
    events.push({ type: 'tool-result', id: `call-${k}`, output: 'export const mode = "production";\n' });
  }
  return events;
}
