import { handle, type Session } from '@loopfuse/session';
import type { ToolApprovalStatus, ToolSet } from 'ai';
import type { Json } from 'loopfuse';
import { type Approval, onCall } from './apply.js';

/** The part of what the SDK passes to a `toolApproval` function that is needed here. */
export interface ApprovalRequest {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  readonly tools: ToolSet | undefined;
  readonly toolsContext: unknown;
  readonly runtimeContext: unknown;
  readonly messages: readonly unknown[];
}

type Own = ((request: never) => unknown) | { readonly [tool: string]: unknown } | undefined;

/**
 * A function for `toolApproval`: refuses the calls that the guard refuses, asks the user about those for which the
 * guard asks, and leaves all others to `own`, the approval that the host had before.
 */
export function loopApproval(session: Session, own?: Own): (request: ApprovalRequest) => Promise<ToolApprovalStatus> {
  return async (request) => {
    const { toolCallId: id, toolName: tool, input } = request.toolCall;
    const decision = await session.settle(session.call({ id, tool, input: input as Json }));
    if (decision.type === 'ask' && isApproved(id, request.messages)) {
      // The SDK asks again before it runs a call that the user has approved.
      if (session.question) session.release({ type: 'continue' });
      return { type: 'approved' };
    }
    const approval: Approval = handle(onCall, decision);
    return approval ?? (await ownApproval(own, request));
  };
}

/** Whether the history has the user's approval of a call: it may come with a later request, to another process. */
function isApproved(id: string, messages: readonly unknown[]): boolean {
  const parts = messages.flatMap((message) => {
    const { content } = (message ?? {}) as { content?: unknown };
    return Array.isArray(content) ? (content as Record<string, unknown>[]) : [];
  });
  const approvals = new Set(
    parts
      .filter((part) => part?.type === 'tool-approval-request' && part.toolCallId === id)
      .map((part) => part.approvalId),
  );
  return parts.some(
    (part) => part?.type === 'tool-approval-response' && part.approved === true && approvals.has(part.approvalId),
  );
}

/** The approval that the SDK would have used without us: a function, an entry by tool, or the tool itself. */
async function ownApproval(own: Own, request: ApprovalRequest): Promise<ToolApprovalStatus> {
  const { toolCall, tools, toolsContext, runtimeContext, messages } = request;
  const { toolName, toolCallId, input } = toolCall;
  if (typeof own === 'function') return (await own(request as never)) as ToolApprovalStatus;
  const toolContext = ownValue(toolsContext, toolName);
  const entry = ownValue(own, toolName);
  if (typeof entry === 'function')
    return (await entry(input, { toolCallId, messages, toolContext, runtimeContext })) as ToolApprovalStatus;
  if (entry !== undefined) return entry as ToolApprovalStatus;
  const needs = (ownValue(tools, toolName) as { needsApproval?: unknown } | undefined)?.needsApproval;
  const needed =
    typeof needs === 'function' ? await needs(input, { toolCallId, messages, context: toolContext }) : needs;
  return needed === true ? 'user-approval' : 'not-applicable';
}

/** The model chooses the name: a member that every object inherits must not count as an entry. */
function ownValue(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, name)
    ? (of as Record<string, unknown>)[name]
    : undefined;
}
