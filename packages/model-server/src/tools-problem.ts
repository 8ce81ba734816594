import { quote, stringOf } from '@loopfuse/wire';
import { schemaProblem } from './schema-problem.js';

export interface ToolsInRequest {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  /** The tool that must be called, if the request says so. */
  readonly forced?: unknown;
  /** What the provider takes for a name. */
  readonly names: RegExp;
  readonly schemaKey?: string;
}

/** What is wrong with the tools that a request offers, whose shape differs by protocol but whose rules do not. */
export function toolsProblem({ tools, forced, names, schemaKey = 'parameters' }: ToolsInRequest): string | undefined {
  const seen = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name, [schemaKey]: schema } = tool;
    if (typeof name !== 'string' || !names.test(name))
      return `tools[${index}].name: must match ${names.source}, got ${quote(name)}`;
    if (seen.has(name)) return `tools[${index}].name: ${quote(name)} is offered twice`;
    seen.add(name);
    const wrong = schema === undefined ? undefined : schemaProblem(`tools[${index}].${schemaKey}`, schema);
    if (wrong !== undefined) return wrong;
  }
  if (forced !== undefined && !seen.has(stringOf(forced)))
    return `the tool that must be called, ${quote(forced)}, is not one of those offered`;
  return undefined;
}
