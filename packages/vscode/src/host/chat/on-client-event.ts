import { type ClientEvent, type LogLevel, unhandled } from '@loopfuse/agent';
import { guardNotice } from '@loopfuse/conversation';

/** What the editor, apart from the page, does with the events of the agent. */
export interface Listener {
  log(level: LogLevel, message: string): void;
  /** Tells the user even if the page is hidden. */
  tell(tone: 'warning' | 'error', message: string): void;
  onSuspected(): void;
  onJudged(event: Extract<ClientEvent, { type: 'judge-consulted' | 'judge-failed' }>): void;
  onHalted(event: Extract<ClientEvent, { type: 'loop-detected' }>): void;
}

/**
 * The editor's part in handling an event; the page gets all events as well. Every kind is handled: a new one does not compile
 * until it is, and an unknown one is logged. Only the names of tools and kinds are logged here. The client logs the contents,
 * because it masks secrets.
 */
export function onClientEvent(event: ClientEvent, listener: Listener): void {
  switch (event.type) {
    case 'content':
    case 'reasoning':
    case 'tool-call-output':
    case 'token-usage':
      break; // shown on the page, and kept by the client
    case 'tool-call-request':
      listener.log('debug', `A call of ${event.call.tool} (${event.call.id})`);
      break;
    case 'tool-call-result':
      listener.log('debug', `A result of ${event.tool} (${event.id}): ${event.status}`);
      break;
    case 'history-compressed':
      listener.log('info', `The history was compressed: ${event.tokensBefore} → ${event.tokensAfter} tokens`);
      break;
    case 'judge-consulted':
      listener.log('info', `The judge ${event.opinion.by} gives a loop a confidence of ${event.opinion.confidence}`);
      listener.onJudged(event);
      break;
    case 'judge-failed':
      listener.log('warn', 'The judge was asked and gave no opinion');
      listener.onJudged(event);
      break;
    case 'loop-suspected':
      listener.log('info', `A loop is suspected (${event.finding.kind})`);
      listener.onSuspected();
      break;
    case 'loop-steered':
    case 'loop-rewound':
    case 'loop-escalated':
    case 'loop-shadowed':
      listener.log('warn', `Loop (${event.kind}): ${guardNotice(event).done}`);
      break;
    case 'loop-detected':
      listener.log('warn', `The request was halted (${event.kind}); calls dropped: ${event.dropped.length}`);
      listener.onHalted(event);
      break;
    case 'warning':
      listener.log('warn', event.message);
      break;
    case 'error':
      listener.log('error', event.message);
      listener.tell('error', event.message);
      break;
    case 'max-turns': {
      const message = `The request was stopped after ${event.turns} turns, the limit for one request (loopfuse.maxTurns).`;
      listener.log('warn', message);
      listener.tell('warning', message);
      break;
    }
    case 'user-cancelled':
      listener.log('info', 'The request was cancelled');
      break;
    case 'finished':
      listener.log('info', `The request has ended (${event.reason})`);
      break;
    default:
      listener.log('warn', unhandled(event));
  }
}
