import type { EventOf } from '../event.js';
import type { Finding } from '../finding.js';
import {
  append,
  beginWords,
  endWords,
  isDue,
  type Message,
  openMessage,
  readOn,
  startMessages,
} from '../text/message.js';
import { blockLength, type Channel } from '../text/words.js';
import type { Lane, Session } from './session.js';
import { show } from './show.js';

const none: readonly Finding[] = [];

/** Passes on a delta, and the blocks it completes to detectors that read words. The hot path: it makes no step. */
export function observeDelta(session: Session, lane: Lane, event: EventOf<Channel>): readonly Finding[] {
  const { routes } = session;
  if (event.text !== '') lane.steps.spoke(event);
  const found = show(session, lane, event.type === 'text' ? routes.text : routes.reasoning, event, none);
  if (routes.words.length === 0) return found;
  const message = openMessage(lane.messages, event.type);
  append(message, event.text, session.seq);
  return isDue(message) ? showBlocks(session, lane, message, found) : found;
}

function showBlocks(session: Session, lane: Lane, message: Message, found: readonly Finding[]): readonly Finding[] {
  if (message.words === undefined && message.pending.length <= session.quiet) return found;
  const words = message.words ?? beginWords(message);
  for (let length = -1; isDue(message) && length < words.length; ) {
    length = words.length;
    readOn(message, words);
    words.urgent = false;
    found = show(session, lane, session.routes.words, words, found);
    if (message.left >= blockLength) message.urgent = words.urgent;
  }
  return found;
}

/** The messages of the lane are over: tells the detectors that read words. */
export function endMessages(session: Session, lane: Lane): void {
  const { text, reasoning } = lane.messages;
  if (text === undefined && reasoning === undefined) return;
  lane.messages = startMessages();
  for (const message of [text, reasoning]) {
    if (message?.words === undefined) continue;
    message.words.over = true;
    show(session, lane, session.routes.words, message.words, none);
    endWords(message.words);
  }
}
