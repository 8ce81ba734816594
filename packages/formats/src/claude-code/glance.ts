import type { Glimpse } from '../format.js';
import { lastPlainMembers, textOfBytes, typeOn } from '../records/line-bytes.js';

/** The types of lines that are used. */
const usedTypes: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'system',
  'attachment',
  'tool_use',
  'tool_result',
  'custom-title',
  'ai-title',
  'summary',
]);

const again = ',"toolUseResult":';

/**
 * Half of a log of Claude Code is results of calls, repeated for the user interface, and copies of what sub-agents
 * write. Neither is parsed.
 */
export function glanceAtClaudeCode(line: Buffer): Glimpse | undefined {
  const typed = typeOn(line);
  if (typed !== undefined && !usedTypes.has(typed.type)) return { skip: typed.type };
  if (typed !== undefined && typed.type !== 'user') return undefined;
  const cut = line.indexOf(again);
  const message = line.indexOf(',"message":{');
  return message >= 0 && message < cut ? withoutLast(line, cut) : undefined;
}

/**
 * `… "message":{…},"uuid":…,"timestamp":…,"toolUseResult":{…},"version":…}`: the members before it and the plain
 * members after it. Other members after it are lost, so none of them may be one that is used. If the place was inside
 * another member, the rest is not valid JSON.
 */
function withoutLast(line: Buffer, cut: number): Glimpse | undefined {
  const tail = lastPlainMembers(line, cut);
  if (tail === undefined || usedKey.test(line.toString('latin1', Math.max(cut + again.length, tail - lookBack), tail)))
    return undefined;
  return { read: textOfBytes(line.subarray(0, cut)) + textOfBytes(line.subarray(tail)) };
}

/** There are only a few short members after it. */
const lookBack = 2048;
const usedKey =
  /,"(?:type|uuid|parentUuid|timestamp|sessionId|session_id|agentId|isSidechain|parent_tool_use_id|version|cwd|message|isMeta|isCompactSummary|origin|sourceToolUseID)":/;
