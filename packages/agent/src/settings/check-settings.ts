import type { z } from 'zod';
import { detectorProblem } from './detector-settings.js';
import { type Settings, settingsSchema } from './settings.js';
import type { SettingsProblem } from './settings-error.js';

export interface CheckedSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
  readonly warnings: readonly string[];
}

/** Checks settings of a file, or of a source called `name`. Unknown keys are left out with a warning; wrong values are problems. */
export function checkSettings(value: unknown, file: string | undefined, name = file ?? ''): CheckedSettings {
  const first = settingsSchema.safeParse(value);
  if (first.success) return checkedDetectors(first.data, file, []);
  const unknown = first.error.issues.flatMap(unknownKeys);
  const warnings = unknown.map((path) => `${name}: "${path.join('.')}" is not a setting and is ignored.${hint(path)}`);
  const second = unknown.length === 0 ? first : settingsSchema.safeParse(without(value, unknown));
  if (second.success) return checkedDetectors(second.data, file, warnings);
  const problems = second.error.issues.map((issue) => ({
    ...(file === undefined ? {} : { file }),
    key: issue.path.join('.'),
    message: inWords(issue, valueAt(value, issue.path)),
  }));
  return { settings: {}, problems, warnings };
}

/** Checks what only a detector can check: options that do not fit together. */
function checkedDetectors(settings: Settings, file: string | undefined, warnings: readonly string[]): CheckedSettings {
  const message = settings.detectors === undefined ? undefined : detectorProblem(settings.detectors);
  return {
    settings,
    problems: message === undefined ? [] : [{ ...(file === undefined ? {} : { file }), key: 'detectors', message }],
    warnings,
  };
}

type Path = readonly PropertyKey[];

/** Inside a union the unknown keys are one level deeper. */
function unknownKeys(issue: z.core.$ZodIssue): readonly Path[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key]);
  if (issue.code !== 'invalid_union') return [];
  return issue.errors
    .flat()
    .flatMap(unknownKeys)
    .map((path) => [...issue.path, ...path]);
}

function hint(path: Path): string {
  if (path.some((key) => /api_?key$/i.test(String(key))))
    return ' Keys belong in the environment; "apiKeyEnv" names the variable.';
  const known = Object.keys(settingsSchema.shape);
  const meant = path.length === 1 ? nearest(String(path[0]), known) : undefined;
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** The nearest word, if its distance is at most two. */
function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > 40) return undefined;
  const [best] = words.map((each) => ({ each, slips: slipsBetween(word, each) })).sort((a, b) => a.slips - b.slips);
  return best !== undefined && best.slips <= 2 ? best.each : undefined;
}

/** Levenshtein's distance. */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** What is allowed in place of the value, and what was found. */
function inWords(issue: z.core.$ZodIssue, value: unknown): string {
  const got = `got ${quote(value)}`;
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}, ${got}`;
    case 'invalid_type':
      return `must be ${article(issue.expected)}, ${got}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit(issue.origin)}, ${got}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin)}, ${got}`;
    case 'invalid_format':
      return issue.format === 'url'
        ? `must be an address such as http://127.0.0.1:8080/v1, ${got}`
        : `${issue.message}, ${got}`;
    case 'invalid_union': {
      const inner = issue.errors.flat().find(({ path, code }) => path.length > 0 && code !== 'unrecognized_keys');
      const problem = inner === undefined ? undefined : inWords(inner, valueAt(value, inner.path));
      return inner === undefined
        ? `must be an object of options, or false, ${got}`
        : `has a wrong "${inner.path.join('.')}": it ${problem}`;
    }
    default:
      return `${issue.message}, ${got}`;
  }
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters long' : '';
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

function without(value: unknown, paths: readonly Path[]): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    const holder = valueAt(copy, path.slice(0, -1));
    if (typeof holder === 'object' && holder !== null) delete (holder as Record<PropertyKey, unknown>)[path.at(-1)!];
  }
  return copy;
}
