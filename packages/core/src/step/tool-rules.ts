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

/** Validates rules once and gives the look-up: an exact name first, then patterns in the order given. */
export function toolRules(rules: ToolRules): RuleOf {
  const patterns: [RegExp, ToolRule][] = [];
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.times !== undefined && !(Number.isInteger(rule.times) && rule.times >= 2)) {
      throw new RangeError(
        `tool rule ${JSON.stringify(name)}: times must be an integer of at least 2, got ${String(rule.times)}`,
      );
    }
    if (rule.effect !== undefined && !['read', 'write', 'run', 'act', 'poll', 'note'].includes(rule.effect)) {
      throw new RangeError(
        `tool rule ${JSON.stringify(name)}: effect must be read, write, run, act, poll or note, got ${JSON.stringify(rule.effect)}`,
      );
    }
    if (name.includes('*')) patterns.push([globPattern(name), rule]);
  }
  if (Object.keys(rules).length === 0) return () => undefined;
  return (tool) => (Object.hasOwn(rules, tool) ? rules[tool] : patterns.find(([pattern]) => pattern.test(tool))?.[1]);
}

/** A name in which `*` stands for any run of characters, as an anchored expression. */
export function globPattern(glob: string): RegExp {
  return new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );
}
