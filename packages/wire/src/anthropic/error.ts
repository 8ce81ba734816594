import type { Json } from 'loopfuse';

export function error(status: number, message: string): Json {
  return {
    type: 'error',
    error: { type: kinds[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
  };
}

const kinds: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
