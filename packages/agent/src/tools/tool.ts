import type { Json } from 'loopfuse';
import type { z } from 'zod';
import type { Files } from '../workspace/files.js';
import type { Workspace } from '../workspace/workspace.js';

/** What a tool does. Approval and the order of calls depend on it. */
export type ToolEffect =
  | 'read' // reads in the workspace; runs in parallel with other reads, without approval
  | 'edit' // changes files of the workspace
  | 'run'; // runs a program, which can do anything

export interface ToolContext {
  readonly workspace: Workspace;
  /** Where text files are read and written. */
  readonly files: Files;
  /** Aborted when the result is no longer needed. The tool must then end soon. */
  readonly signal: AbortSignal;
  /** Call it with output as it is written, to show it. The model gets what `run` returns. */
  readonly onOutput: (text: string) => void;
}

/** The result of a call. */
export interface ToolOutcome {
  /** For the model. */
  readonly output: string;
  readonly failed?: boolean;
  /** For users, where there is a better form than the output. */
  readonly display?: Display;
}

/** What users are shown: before a call, what they approve; after it, what was done. */
export type Display =
  | { readonly type: 'diff'; readonly path: string; readonly patch: string }
  | { readonly type: 'command'; readonly command: string; readonly folder: string }
  | { readonly type: 'text'; readonly text: string };

export interface ToolSpec<Schema extends z.ZodObject> {
  /** In snake case, as models know from other tools. */
  readonly name: string;
  /** For the model: what it does and when to use it. */
  readonly description: string;
  readonly schema: Schema;
  readonly effect: ToolEffect;
  /** A short title of a call for users. */
  title(input: z.infer<Schema>): string;
  /** What the user sees before approving. May throw: then the call fails with that message, and the user is not asked. */
  preview?(input: z.infer<Schema>, context: ToolContext): Promise<Display>;
  /** What "always" would cover, as strings that are compared and shown; by default all calls of the tool. */
  covers?(input: z.infer<Schema>, context: ToolContext): Promise<readonly string[]>;
  /** Whether the user must be asked even where edits need no approval. */
  isSensitive?(input: z.infer<Schema>, context: ToolContext): Promise<boolean>;
  /** An error thrown is a failed call with the error's message. */
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolOutcome>;
}

/** A tool without its input type, for lists of tools. Input is checked with `schema` before any of these functions is called. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  readonly effect: ToolEffect;
  title(input: ToolInput): string;
  preview(input: ToolInput, context: ToolContext): Promise<Display>;
  covers(input: ToolInput, context: ToolContext): Promise<readonly string[]>;
  isSensitive(input: ToolInput, context: ToolContext): Promise<boolean>;
  run(input: ToolInput, context: ToolContext): Promise<ToolOutcome>;
}

export type ToolInput = { readonly [key: string]: Json };

export function defineTool<Schema extends z.ZodObject>(spec: ToolSpec<Schema>): Tool {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(spec.name))
    throw new TypeError(
      `defineTool: name must be snake_case with at most 64 characters, got ${JSON.stringify(spec.name)}`,
    );
  const typed = (input: ToolInput) => input as z.infer<Schema>;
  return {
    name: spec.name,
    description: spec.description,
    schema: spec.schema,
    effect: spec.effect,
    title: (input) => spec.title(typed(input)),
    preview: async (input, context) =>
      spec.preview ? spec.preview(typed(input), context) : { type: 'text', text: spec.title(typed(input)) },
    covers: async (input, context) => (spec.covers ? spec.covers(typed(input), context) : [spec.name]),
    isSensitive: async (input, context) => (spec.isSensitive ? spec.isSensitive(typed(input), context) : false),
    run: (input, context) => spec.run(typed(input), context),
  };
}
