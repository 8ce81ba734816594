import { createHash } from 'node:crypto';

const mark = 'scripted.';

/** What a provider puts under the thinking it sends, so that it knows its own words when they come back. */
export function sealOf(text: string): string {
  return Buffer.from(mark + createHash('sha256').update(text).digest('base64url')).toString('base64');
}

/** Whether this is a seal of ours and belongs to another text. Seals of others cannot be checked. */
export function sealBroken(seal: string, text: string): boolean {
  return Buffer.from(seal, 'base64').toString('latin1').startsWith(mark) && seal !== sealOf(text);
}
