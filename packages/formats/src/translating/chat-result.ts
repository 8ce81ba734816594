import type { Json } from 'loopfuse';
import { contentOf } from './content.js';
import { isObject, list, type Obj, obj, str } from './json.js';
import type { Result } from './transcript.js';

/** Whether a block of content is the result of a call, in any model interface. */
export function isResult(block: Obj): boolean {
  return (
    block.type === 'tool-result' ||
    block.type === 'tool-error' ||
    (str(block.type) ?? '').endsWith('tool_result') ||
    block.type === 'toolResponse' ||
    isObject(block.toolResult) ||
    block.functionResponse !== undefined ||
    block.function_response !== undefined
  );
}

export function resultOf(block: Obj): Result {
  if (block.type === 'toolResponse') return gooseResult(block);
  const { id, name, response } = obj(block.functionResponse ?? block.function_response);
  const { output, error } = obj(response);
  return {
    id: str(block.tool_use_id) ?? str(block.toolCallId) ?? str(id) ?? str(obj(block.toolResult).toolUseId),
    output: contentOf(response === undefined ? bodyOf(block) : (output ?? error ?? response)),
    failed: hasFailed(block, error),
    tool: str(name) ?? str(block.toolName),
  };
}

/** The result of a call of OpenAI's responses. */
export function resultOfItem(output: Json | undefined, failed: boolean): Pick<Result, 'output' | 'failed'> {
  const ran = list(output).map((each) => obj(obj(each).outcome));
  const broke = ran.some(({ type, exit_code: code }) => type === 'timeout' || (type === 'exit' && code !== 0));
  return { output: contentOf(output), failed: failed || broke || undefined };
}

/** The result in a block that has both the call and its result, by its state; undefined while the call runs. */
export function resultInside(block: Obj): Obj | undefined {
  const { state, output, result, errorText, approval } = isObject(block.toolInvocation) ? block.toolInvocation : block;
  if (state === 'output-available' || state === 'result') return { content: output ?? result ?? '' };
  if (state === 'output-error') return { content: errorText ?? '', is_error: true };
  if (state === 'output-denied')
    return { content: str(obj(approval).reason) ?? 'The call was declined.', is_error: true };
  return undefined;
}

function bodyOf(block: Obj): Json | undefined {
  const sdk = obj(block.output ?? block.result);
  const denied = sdk.type === 'execution-denied' ? sdk.reason : undefined;
  const own = block.content ?? block.output ?? block.result ?? block.error;
  return sdk.value ?? denied ?? own ?? obj(block.toolResult).content;
}

function hasFailed(block: Obj, error: Json | undefined): boolean | undefined {
  const flag = block.is_error ?? block.isError;
  if (typeof flag === 'boolean') return flag;
  const sdk = str(obj(block.output ?? block.result).type) ?? '';
  const isFailure =
    error !== undefined ||
    block.type === 'tool-error' ||
    obj(block.toolResult).status === 'error' ||
    sdk.startsWith('error-') ||
    sdk === 'execution-denied' ||
    (str(obj(block.content).type) ?? '').endsWith('_tool_result_error');
  return isFailure || undefined;
}

function gooseResult(block: Obj): Result {
  const { status, value, error } = obj(block.toolResult);
  return {
    id: str(block.id),
    output: contentOf(obj(value).content ?? value ?? error ?? block.toolResult),
    failed: status === 'error' || obj(value).isError === true || undefined,
  };
}
