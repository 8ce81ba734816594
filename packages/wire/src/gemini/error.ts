import type { Json } from 'loopfuse';

export function error(status: number, message: string): Json {
  return {
    error: { code: status, message, status: names[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT') },
  };
}

const names: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
