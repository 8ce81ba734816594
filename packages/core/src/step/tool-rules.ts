import { checked, oneOf, only, optional } from '../shape.js';
import type { Effect } from './step.js';

/** What a user knows about a tool. Keys of `ToolRules` are tool names; `*` in a key matches any run of characters. */
export interface ToolRule {
  /** The input keys that make the identity of a call; all others are ignored. */
  readonly identity?: readonly string[];
  /** What the tool does, where its name does not tell. */
  readonly effect?: Effect;
  /** How many equal rounds make a loop of this tool. */
  readonly times?: number;
  /** Calls of this tool are never evidence. */
  readonly exempt?: boolean;
}
export type ToolRules = { readonly [tool: string]: ToolRule };
export type RuleOf = (tool: string) => ToolRule | undefined;

const ruleLike = {
  identity: optional(['']),
  effect: optional(oneOf(['read', 'write', 'run', 'act', 'poll', 'note'])),
  times: optional(only('an integer of at least 2', (value) => Number.isInteger(value) && (value as number) >= 2)),
  exempt: optional(true),
};

/** Validates rules once and returns the look-up: an exact name first, then patterns in the order given. */
export function toolRules(rules: ToolRules): RuleOf {
  const patterns: [NameTest, ToolRule][] = [];
  for (const [name, rule] of Object.entries(rules)) {
    checked(ruleLike, rule, `tools[${JSON.stringify(name)}]`);
    if (name.includes('*')) patterns.push([globTest(name), rule]);
  }
  if (Object.keys(rules).length === 0) return () => undefined;
  return (tool) => (Object.hasOwn(rules, tool) ? rules[tool] : patterns.find(([matches]) => matches(tool))?.[1]);
}

export type NameTest = (name: string) => boolean;

/**
 * A test for names in which `*` stands for any run of characters. The parts between the stars are searched from left to
 * right, each at its first match: if that fails, any later match would fail too.
 */
export function globTest(glob: string): NameTest {
  const parts = glob.split('*');
  if (parts.length === 1) return (name) => name === glob;
  const first = parts[0]!;
  const last = parts[parts.length - 1]!;
  const middle = parts.slice(1, -1);
  return (name) => {
    const end = name.length - last.length;
    if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}
