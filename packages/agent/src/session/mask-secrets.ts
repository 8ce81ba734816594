import type { Message } from '../history/message.js';
import { type Environment, isSecret, isSecretValue } from '../tools/run-shell-command/environment.js';
import type { Session } from './session.js';

/** Shorter values occur in text by chance. */
const shortest = 8;

/** A function that masks known secrets in a text: the given keys, and what looks like a secret in the environment. */
export function secretMask(keys: readonly (string | undefined)[], environment: Environment): (text: string) => string {
  const values = new Set<string>();
  for (const key of keys) if (key !== undefined && key.length >= shortest && !isWord(key)) values.add(key);
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && value.length >= shortest && isSecret(name, value) && isUnusual(value)) values.add(value);
  // The longest first: masking a shorter one first would leave a part of a longer one.
  const longestFirst = [...values].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
}

/** The value with all texts in it masked. Keys, and so its structure, stay. */
export function masked<Value>(value: Value, mask: (text: string) => string): Value {
  if (typeof value === 'string') return mask(value) as Value;
  if (Array.isArray(value)) return value.map((one) => masked(one, mask)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, mask)])) as Value;
}

/** A session as it is stored: texts are masked, ids and structure are not. */
export function maskedSession(session: Session, mask: (text: string) => string): Session {
  const { title, request, halted, guard, judge } = session;
  return {
    ...session,
    ...(title === undefined ? {} : { title: mask(title) }),
    ...(request === undefined ? {} : { request: mask(request) }),
    history: session.history.map((message) => maskedMessage(message, mask)),
    ...(halted === undefined ? {} : { halted: masked(halted, mask) }),
    ...(guard === undefined ? {} : { guard: masked(guard, mask) }),
    ...(judge === undefined ? {} : { judge: masked(judge, mask) }),
  };
}

function maskedMessage(message: Message, mask: (text: string) => string): Message {
  const remarks = message.remarks === undefined ? {} : { remarks: masked(message.remarks, mask) };
  switch (message.role) {
    case 'user': {
      const { takenOut, attachments } = message;
      const rounds = takenOut && {
        takenOut: { ...takenOut, messages: takenOut.messages.map((one) => maskedMessage(one, mask)) },
      };
      const files = attachments && { attachments: masked(attachments, mask) };
      return { ...message, text: mask(message.text), ...files, ...rounds, ...remarks };
    }
    case 'tool':
      return {
        ...message,
        ...remarks,
        results: message.results.map(({ display, instead, ...one }) => ({
          ...one,
          output: mask(one.output),
          ...(display === undefined ? {} : { display: masked(display, mask) }),
          ...(instead === undefined ? {} : { instead: mask(instead) }),
        })),
      };
    case 'assistant':
      return {
        ...message,
        ...remarks,
        parts: message.parts.map((part) => {
          if (part.type === 'tool-call') {
            const { title } = part;
            return { ...part, input: masked(part.input, mask), ...(title === undefined ? {} : { title: mask(title) }) };
          }
          const text = mask(part.text);
          const { metadata, ...bare } = part;
          // The provider's signature does not fit the masked text, so it is left out.
          return text === part.text ? part : { ...bare, text };
        }),
      };
  }
}

/** A word or a number: it occurs in many texts, and masking it protects nothing. */
function isWord(value: string): boolean {
  return /^(?:[\p{L}\p{M}]+|\d+)$/u.test(value);
}

/** Neither a word, nor words and small numbers joined by punctuation, nor a path: it does not occur by chance. */
function isUnusual(value: string): boolean {
  if (isSecretValue(value)) return true;
  if (isWord(value) || /^(?:\/|~|\.|[A-Za-z]:[\\/])/.test(value)) return false;
  return !value.split(/[-_.:/ ]/).every((piece) => /^(?:[a-z]*\d{0,6})$/i.test(piece));
}
