import { dirname, relative } from 'node:path';
import { readSessions } from '@loopfuse/formats';
import { runProgram } from './run-program.mjs';

/** Scans the home folder without naming a path, and holds what comes of it against what was done. One row for each run. */
export async function scanHome({ cli, home, env, runs, alarms, problems }) {
  const scan = (...flags) => runProgram(process.execPath, [cli, 'scan', ...flags], { cwd: home, env });
  const plain = await scan();
  const json = await scan('--json');
  console.log(`\n$ loopfuse scan\n${plain.said}`);
  const reports = json.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  if (plain.code !== 0 || json.code !== 0)
    problems.push(`scan ended with ${plain.code}, and with ${json.code} as JSON`);
  const looping = runs.filter(({ kind }) => kind === 'looping');
  const summary = `${looping.length} of ${runs.length} sessions loop`;
  if (!plain.stdout.includes(summary)) problems.push(`plain scan does not say "${summary}"`);
  for (const { agent } of looping) {
    if (!new RegExp(`^ {2}${agent} `, 'm').test(plain.said)) problems.push(`plain scan does not say it found ${agent}`);
    // A row of the table begins with the agent; the closing advice names it too.
    const lines = plain.stdout.split('\n').filter((line) => line.startsWith(`${agent} `));
    if (lines.length !== 1) problems.push(`plain scan has ${lines.length} lines for ${agent}, not one`);
  }
  return Promise.all(runs.map((run) => rowOf(run, { home, reports, alarms, problems })));
}

async function rowOf(run, { home, reports, alarms, problems }) {
  const { agent, version, kind, folder, ended } = run;
  const where = `${agent}, ${kind}`;
  const own = reports.filter((report) => report.project === folder && report.copyOf === undefined);
  if (own.length !== 1) problems.push(`${where}: ${own.length} sessions found, not one`);
  const [report] = own;
  if (report === undefined) return { agent, version, kind };
  if (report.agent !== agent) problems.push(`${where}: the session is said to be of ${report.agent}`);
  const summary = await readSessions(report.file, { onEvent() {} });
  const loops = report.findings.filter(({ status }) => status === 'looping');
  if (kind === 'looping' && loops.length === 0) problems.push(`${where}: no loop is reported`);
  if (kind === 'innocent' && report.findings.length > 0)
    problems.push(`${where}: reported as ${report.findings.map(({ message }) => message).join('; ')}`);
  const warnings = alarms.filter((alarm) => alarm.project === folder);
  const wanted = kind === 'looping' ? 1 : 0;
  if (warnings.length !== wanted) problems.push(`${where}: watch warned ${warnings.length} times, not ${wanted}`);
  const early = warnings[0] === undefined ? undefined : (ended - warnings[0].receivedAt) / 1000;
  if (early !== undefined && early <= 0) problems.push(`${where}: watch warned after the agent had ended`);
  return {
    agent,
    version,
    kind,
    file: shortened(relative(home, report.file)),
    format: summary.format,
    events: report.events,
    calls: report.calls,
    verdict: loops.length === 0 ? 'clean' : `${loops[0].kind}, ${loops.at(-1).rounds ?? '?'} rounds`,
    watch: early === undefined ? 'silent' : `warned ${early.toFixed(1)} s before its end`,
  };
}

/** The folders that tell whose log it is, and the end of the name. */
function shortened(path) {
  if (path.length <= 60) return path;
  const head = dirname(path).slice(0, 28);
  return `${head}…${path.slice(-31)}`;
}
