import { type ClientEvent, type LogLevel, unhandled } from '@loopfuse/agent';
import { guardNotice } from '@loopfuse/conversation';

/** What the editor, apart from the page, does about the events of the agent. */
export interface Hearer {
  log(level: LogLevel, message: string): void;
  /** Something that a person should know of even where the page cannot be seen. */
  tell(tone: 'warning' | 'error', message: string): void;
  onSuspected(): void;
  onJudged(event: Extract<ClientEvent, { type: 'judge-consulted' | 'judge-failed' }>): void;
  onHalted(event: Extract<ClientEvent, { type: 'loop-detected' }>): void;
}

/**
 * The editor's part in an event; the page gets all of them besides. Every kind is handled: a new one does not compile
 * until it is, and one that nobody knows is logged. What an event is about is logged by the client, which masks secrets;
 * here it is only named.
 */
export function onClientEvent(event: ClientEvent, hearer: Hearer): void {
  switch (event.type) {
    case 'content':
    case 'reasoning':
    case 'tool-call-output':
    case 'token-usage':
      break; // shown on the page, and kept by the client
    case 'tool-call-request':
      hearer.log('debug', `A call of ${event.call.tool} (${event.call.id})`);
      break;
    case 'tool-call-result':
      hearer.log('debug', `A result of ${event.tool} (${event.id}): ${event.status}`);
      break;
    case 'history-compressed':
      hearer.log('info', `The history was compressed: ${event.tokensBefore} → ${event.tokensAfter} tokens`);
      break;
    case 'judge-consulted':
      hearer.log('info', `The judge ${event.opinion.by} gives ${event.opinion.confidence} for a loop`);
      hearer.onJudged(event);
      break;
    case 'judge-failed':
      hearer.log('warn', 'The judge was asked and gave no opinion');
      hearer.onJudged(event);
      break;
    case 'loop-suspected':
      hearer.log('info', `A loop is suspected (${event.finding.kind})`);
      hearer.onSuspected();
      break;
    case 'loop-steered':
    case 'loop-rewound':
    case 'loop-escalated':
    case 'loop-shadowed':
      hearer.log('warn', `Loop (${event.kind}): ${guardNotice(event).done}`);
      break;
    case 'loop-detected':
      hearer.log('warn', `The request was halted (${event.kind}); calls dropped: ${event.dropped.length}`);
      hearer.onHalted(event);
      break;
    case 'warning':
      hearer.log('warn', event.message);
      break;
    case 'error':
      hearer.log('error', event.message);
      hearer.tell('error', event.message);
      break;
    case 'max-turns': {
      const message = `The request was stopped after ${event.turns} turns, the most that one may take.`;
      hearer.log('warn', message);
      hearer.tell('warning', message);
      break;
    }
    case 'user-cancelled':
      hearer.log('info', 'The request was cancelled');
      break;
    case 'finished':
      hearer.log('info', `The request has ended (${event.reason})`);
      break;
    default:
      hearer.log('warn', unhandled(event));
  }
}
