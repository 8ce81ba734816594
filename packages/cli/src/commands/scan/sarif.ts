import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loopKinds } from 'loopfuse';
import { counted } from 'loopfuse/words';
import { type Gaps, noGaps, unreadInWords } from './gaps.js';
import { remedies } from './remedies.js';
import type { Row } from './table.js';

/**
 * The loops of a scan as SARIF 2.1.0, which code hosts show as annotations. Paths are relative to `cwd` where they can be.
 * What the scan could not read is reported as a fault of its run.
 */
export function sarif(rows: readonly Row[], cwd: string, gaps: Gaps = noGaps): string {
  const kinds = Object.keys(loopKinds) as (keyof typeof loopKinds)[];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'loopfuse',
            version: ownVersion(),
            rules: kinds.map((kind) => ({
              id: kind,
              shortDescription: { text: loopKinds[kind].title },
              help: { text: remedies[kind] },
            })),
          },
        },
        invocations: [invocation(gaps, cwd)],
        results: rows.map(({ loop, session, file, waste }) => ({
          ruleId: loop.kind,
          level: loop.finding.status === 'looping' ? 'error' : 'warning',
          message: { text: `${loop.message} (session ${session}, ${counted(waste.calls, 'call')})` },
          locations: [{ physicalLocation: { ...artifactAt(file, cwd), region: { startLine: 1 } } }],
          partialFingerprints: { loop: `${session} ${loop.finding.onset} ${loop.finding.kind}` },
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 1)}\n`;
}

/** Each becomes a notification; a folder of broken links must not make the file too large for a code host. */
const mostUnread = 100;

function invocation({ readBefore, unread }: Gaps, cwd: string) {
  if (readBefore === undefined && unread.length === 0) return { executionSuccessful: true };
  const interrupted = { text: `Interrupted after ${readBefore}; these are the loops in them.` };
  return {
    executionSuccessful: false,
    toolExecutionNotifications: [
      ...(readBefore === undefined ? [] : [{ level: 'error', message: interrupted }]),
      ...unread.slice(0, mostUnread).map(({ file, message }) => ({
        level: 'error',
        message: { text: `${file}: ${message}` },
        locations: [{ physicalLocation: artifactAt(file, cwd) }],
      })),
      ...(unread.length > mostUnread ? [{ level: 'error', message: { text: `${unreadInWords(unread)}.` } }] : []),
    ],
  };
}

function artifactAt(file: string, cwd: string) {
  return { artifactLocation: { uri: uriOf(file, cwd) } };
}

function ownVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function uriOf(file: string, cwd: string): string {
  const path = isAbsolute(file) ? relative(cwd, file) : file;
  if (path.startsWith('..')) return pathToFileURL(file).href;
  return path.split(/[/\\]/).map(encodeURIComponent).join('/');
}
