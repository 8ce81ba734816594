import type { Detail, Live, LiveAction } from './live-data.js';

const secret = document.querySelector<HTMLMetaElement>('meta[name="loopfuse-page"]')?.content ?? '';
/** The gateway may be served below a path that contains its token. */
const base = `${location.pathname.replace(/\/$/, '')}/-/sessions`;

export const askLive = (): Promise<Live> => ask(base) as Promise<Live>;

export const askDetail = (key: string): Promise<Detail> => ask(`${base}/${encodeURIComponent(key)}`) as Promise<Detail>;

export async function act(key: string, { action, ...rest }: LiveAction): Promise<void> {
  await ask(`${base}/${encodeURIComponent(key)}/${action}`, { method: 'POST', body: JSON.stringify(rest) });
}

/** Rejects with a message for the user. */
async function ask(url: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { 'x-loopfuse-page': secret, 'content-type': 'application/json' };
  const response = await fetch(url, { ...init, headers, cache: 'no-store' }).catch(() => {
    throw new Error('The gateway does not answer.');
  });
  const answer = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  if (!response.ok) throw new Error(answer.error?.message ?? `The gateway answered ${response.status}.`);
  return answer;
}
