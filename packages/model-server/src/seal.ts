import { createHash } from 'node:crypto';

const mark = 'scripted.';

/** The signature that a provider adds to thinking, so that it can check the thinking when it is sent back. */
export function sealOf(text: string): string {
  return Buffer.from(mark + createHash('sha256').update(text).digest('base64url')).toString('base64');
}

/** Whether this is a signature of ours that belongs to another text. Signatures of others cannot be checked. */
export function sealBroken(seal: string, text: string): boolean {
  return Buffer.from(seal, 'base64').toString('latin1').startsWith(mark) && seal !== sealOf(text);
}
