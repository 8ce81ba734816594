import type { AgentEvent } from 'loopfuse';
import type { GatewayEvent } from '../gateway-event.js';
import type { Detail, Evidence, Mark } from './live.js';

export interface RecentEvents {
  note(event: GatewayEvent, now: number): void;
  of(key: string): Detail;
}

const mostSessions = 500;
const mostMarks = 200;
const mostEvidence = 20;
const longestDetail = 120;

/** The last events of the sessions that this process served last. Bounded, and lost when the process ends. */
export function recentEvents(): RecentEvents {
  const sessions = new Map<string, { marks: Mark[]; evidence: Evidence[] }>();

  function entry(key: string) {
    const known = sessions.get(key) ?? { marks: [], evidence: [] };
    sessions.delete(key);
    sessions.set(key, known);
    const [oldest] = sessions.keys();
    if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
    return known;
  }

  function mark(marks: Mark[], one: Mark): void {
    const last = marks.at(-1);
    // Text comes in many small pieces, which become one mark.
    if (last !== undefined && last.type === one.type && (one.type === 'text' || one.type === 'reasoning')) {
      const characters = Number.parseInt(last.detail, 10) + Number.parseInt(one.detail, 10);
      marks[marks.length - 1] = { ...last, detail: `${characters} characters` };
      return;
    }
    marks.push(one);
    if (marks.length > mostMarks) marks.shift();
  }

  return {
    note(event, now) {
      if (event.type === 'observed') {
        const one = markOf(event.event, now);
        if (one !== undefined) mark(entry(event.session.key).marks, one);
      } else if (event.type === 'finding') {
        const { kind, status, detector, confidence, tools } = event.finding;
        const { marks, evidence } = entry(event.session.key);
        mark(marks, { at: now, type: 'finding', name: kind, detail: status });
        const { explanation } = event;
        evidence.push({ at: now, kind, status, detector, explanation, confidence, tools: [...tools] });
        if (evidence.length > mostEvidence) evidence.shift();
      } else if (event.type === 'action')
        mark(entry(event.session.key).marks, { at: now, type: 'action', name: event.action, detail: event.message });
    },
    of: (key) => sessions.get(key) ?? { marks: [], evidence: [] },
  };
}

function markOf(event: AgentEvent, now: number): Mark | undefined {
  const at = event.at ?? now;
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return { at, type: event.type, name: '', detail: `${event.text.length} characters` };
    case 'tool-call':
      return { at, type: 'tool-call', name: event.tool, detail: clip(JSON.stringify(event.input) ?? '') };
    case 'tool-result': {
      const size = (typeof event.output === 'string' ? event.output : (JSON.stringify(event.output) ?? '')).length;
      const failed = event.failed === true ? { failed: true } : {};
      return { at, type: 'tool-result', name: '', detail: `${size} characters`, ...failed };
    }
    case 'prompt':
    case 'retry':
    case 'compaction':
      return { at, type: event.type, name: '', detail: '' };
    default:
      return undefined;
  }
}

function clip(text: string): string {
  return text.length > longestDetail ? `${text.slice(0, longestDetail - 1)}…` : text;
}
