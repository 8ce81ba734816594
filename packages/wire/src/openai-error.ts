import type { Json } from 'loopfuse';

/** The error body of both OpenAI protocols. */
export function openaiError(status: number, message: string): Json {
  const [type, code] = kinds[status] ?? (status >= 500 ? ['server_error', null] : ['invalid_request_error', null]);
  return { error: { message, type, param: null, code } };
}

const kinds: Readonly<Record<number, readonly [string, string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};
