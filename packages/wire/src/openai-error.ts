import type { Json } from 'loopfuse';
import type { Wire } from './wire.js';

/** How both OpenAI protocols report errors, and the answer after which their clients stop. */
export const openaiErrors: Pick<Wire, 'error' | 'stopped'> = {
  error: openaiError,
  stopped: () => ({ status: 400, headers: {} }),
};

function openaiError(status: number, message: string): Json {
  const [type, code] = kinds[status] ?? (status >= 500 ? ['server_error', null] : ['invalid_request_error', null]);
  return { error: { message, type, param: null, code } };
}

const kinds: Readonly<Record<number, readonly [string, string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};
