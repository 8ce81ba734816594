import type { Json } from 'loopfuse';
import { maskAssignments } from './mask-assignments.js';
import { maskWebTokens } from './mask-web-tokens.js';

/**
 * Masks secrets, e-mail addresses and home folders in texts. Each secret and each address gets a name of its own, always the
 * same, so that equal texts stay equal and different ones stay different. Every home folder becomes `~`.
 */
export interface Mask {
  text(text: string): string;
  /** Masks every text in a value, including keys. The text under a key that names a secret is masked completely. */
  value<Value extends Json>(value: Value): Value;
  /** How many different ones were masked. */
  readonly counts: { readonly secrets: number; readonly addresses: number; readonly homes: number };
}

/** Keys and tokens with a known form. */
const known = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}/g,
  /\b(?:npm|hf|gsk|xai|tvly|dop_v1|shpat|pypi)[_-][A-Za-z0-9_-]{20,}/g,
];
/** A secret after a word that announces it: first that word with the separator, then the secret. */
const introduced = [
  /\b((?:Bearer|Basic)\s+)([A-Za-z0-9._~+/=-]{8,})/gi,
  /(?<=[a-z0-9+.-])(:\/\/[^\s/:@"']{0,256}:)([^\s/@"']{1,256})(?=@)/gi,
];
const secretName =
  /^(?:.*[_-])?(?:api[_-]?key|apikey|access[_-]?key|secret|secret[_-]?key|token|auth[_-]?token|access[_-]?token|refresh[_-]?token|password|passwd|passphrase|credentials?|private[_-]?key|authorization|cookie|set-cookie)$/i;
const address = /(?<![\w.+-])(?!git@)[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b/g;
/** A home folder, as a path and as agents write it in the names of folders. */
const home = /(?<![\w.~-])(?:\/(?:home|Users|var\/home)\/|[A-Za-z]:(?:\\\\?|\/)Users(?:\\\\?|\/))[^\s/\\:"'`<>|,;()]+/g;
const rootHome = /(?<![\w.~/-])\/root(?=\/|$|[\s"':,;)])/g;
const foldedHome = /(?<![A-Za-z0-9])-(?:home|Users)-[A-Za-z0-9_]+(?=-|$)/g;

export function createMask(): Mask {
  const names = {
    secret: new Map<string, string>(),
    email: new Map<string, string>(),
    home: new Map<string, string>(),
  };

  function named(kind: 'secret' | 'email', found: string): string {
    if (/^\[(?:secret|email)-\d+\]$/.test(found)) return found;
    const known = names[kind].get(found);
    if (known !== undefined) return known;
    const name = `[${kind}-${names[kind].size + 1}]`;
    names[kind].set(found, name);
    return name;
  }

  function homeless(found: string): string {
    names.home.set(found, '~');
    return '~';
  }

  function text(original: string): string {
    let masked = original;
    for (const pattern of known) masked = masked.replace(pattern, (found) => named('secret', found));
    masked = maskWebTokens(masked, (found) => named('secret', found));
    for (const pattern of introduced)
      masked = masked.replace(pattern, (_, before: string, found: string) => before + named('secret', found));
    return maskAssignments(masked, (found) => named('secret', found))
      .replace(address, (found) => named('email', found))
      .replace(home, homeless)
      .replace(rootHome, homeless)
      .replace(foldedHome, (found) => `-${homeless(found)}`);
  }

  function value(original: Json): Json {
    if (typeof original === 'string') return text(original);
    if (typeof original !== 'object' || original === null) return original;
    if (Array.isArray(original)) return original.map(value);
    return Object.fromEntries(
      Object.entries(original).map(([key, inner]) => [
        text(key),
        typeof inner === 'string' && inner !== '' && secretName.test(key) ? named('secret', inner) : value(inner),
      ]),
    );
  }

  return {
    text,
    value: value as Mask['value'],
    get counts() {
      return { secrets: names.secret.size, addresses: names.email.size, homes: names.home.size };
    },
  };
}
