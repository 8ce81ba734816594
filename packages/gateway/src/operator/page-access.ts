import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const pageHeader = 'x-loopfuse-page';

/** Lets only the page that this gateway served read sessions and act on them. */
export interface PageAccess {
  /** What the page sends with every request. */
  readonly secret: string;
  /** Undefined if the request may go on, else the reason for the refusal. */
  refusal(request: Request): string | undefined;
}

/** Gateways with the same token have the same secret, so that a page may ask any of them. */
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
