import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const pageHeader = 'x-loopfuse-page';

/** Who may ask for sessions and act on them: the page that this gateway served, and no other page. */
export interface PageAccess {
  /** What the page sends with everything that it asks. */
  readonly secret: string;
  /** Undefined when the request may go on, else why not. */
  refusal(request: Request): string | undefined;
}

/** Gateways with one token have one secret, so that a page may ask any of them. */
export function pageAccess(token: string | undefined): PageAccess {
  const secret =
    token === undefined
      ? randomBytes(24).toString('base64url')
      : createHmac('sha256', token).update('live page').digest('base64url');
  const expected = digest(secret);
  return {
    secret,
    refusal(request) {
      if (!timingSafeEqual(digest(request.headers.get(pageHeader) ?? ''), expected))
        return 'Only the page of this gateway may ask for this. Load the page again.';
      const origin = request.headers.get('origin');
      if (origin === null) return request.method === 'GET' ? undefined : 'An action needs the origin of its page.';
      if (!URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host)
        return 'Another page may not act here.';
      return undefined;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
