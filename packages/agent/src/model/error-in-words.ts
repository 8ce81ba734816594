import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  RetryError,
  TypeValidationError,
} from 'ai';
import { messageOf } from 'loopfuse/words';
import type { Retry } from '../turn/with-retries.js';

/** The error answer of a provider, after any number of tries. `undefined` for any other error. */
export function callErrorOf(error: unknown): APICallError | undefined {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  return APICallError.isInstance(cause) ? cause : undefined;
}

/** Why a request failed or its answer was cut off, and what the user can do. */
export function errorInWords(error: unknown): string {
  const refused = callErrorOf(error);
  const cause = refused ?? error;
  const message = messageOf(cause);
  if (refused === undefined) {
    const fault = unreadable(cause);
    return fault === undefined
      ? message
      : `The answer of the server could not be read: ${fault}. Send the message again. If that does not help, check the address (many end with /v1).`;
  }
  if (refused.statusCode !== undefined && refused.statusCode < 300)
    return `The answer was cut off: ${originOf(refused.url)} closed the connection too early. What was received is kept. Send the message again, or say “go on”.`;
  const tries = RetryError.isInstance(error) ? error.errors.length : 1;
  const said = `${message.trim().replace(/[.:]$/, '')}${tries > 1 ? `, tried ${tries} times` : ''}.`;
  const hint = adviceFor(refused);
  return hint === undefined ? message : `${said} ${hint}`;
}

/** The notice that a request is sent again: why, and when. */
export function retryInWords({ error, delay, next, tries }: Retry): string {
  const { statusCode: status, url } = error;
  const [line = ''] = messageOf(error).trim().split('\n', 1);
  const said = line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line.replace(/[.:]$/, '');
  const what = status === undefined ? said : `${originOf(url)} answered ${status} (${said})`;
  return `${what}. Trying again in ${Math.ceil(delay / 1000)} s: try ${next} of ${tries}.`;
}

const longestQuote = 200;

/** What is wrong with an unreadable answer, without its text, which may be long. */
function unreadable(cause: unknown): string | undefined {
  if (JSONParseError.isInstance(cause)) return 'it is not valid JSON';
  if (TypeValidationError.isInstance(cause)) return 'it does not have the expected format';
  if (InvalidResponseDataError.isInstance(cause) || NoOutputGeneratedError.isInstance(cause))
    return messageOf(cause).replace(/\.$/, '');
  return undefined;
}

function adviceFor({ statusCode: status, url }: APICallError): string | undefined {
  if (status === undefined)
    return `No answer from ${originOf(url)}: check that the server is running, that the address is right, and that the network works.`;
  if (status === 401 || status === 403)
    return 'The provider rejected the key: check that it is the right one for this model.';
  if (status === 404) return 'Check the name of the model and the address.';
  if (status === 429)
    return 'There were too many requests, or there is no credit left: wait a while, then send the message again.';
  if (status >= 500) return 'The problem is on the side of the provider: send the message again later.';
  return undefined;
}

/** Without the path and the query, which may hold a key. */
function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return 'that address';
  }
}
