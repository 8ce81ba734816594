import { quote, stringOf } from '@loopfuse/wire';
import { schemaProblem } from './schema-problem.js';

export interface ToolsInRequest {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  /** The tool that must be called, if the request has one. */
  readonly forced?: unknown;
  /** The names that the provider accepts. */
  readonly names: RegExp;
  readonly schemaKey?: string;
}

/** What is wrong with the tools of a request. Their form differs by protocol, but not their rules. */
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
