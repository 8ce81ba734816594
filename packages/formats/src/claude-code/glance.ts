import type { Glimpse } from '../format.js';
import { lastPlainMembers, textOfBytes, typeOn } from '../records/line-bytes.js';

/** The types of lines that hold something. */
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
 * Half of what Claude Code writes is the result of a call written once more, for its user interface, and echoes of
 * sub-agents: neither is parsed.
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
 * `… "message":{…},"uuid":…,"timestamp":…,"toolUseResult":{…},"version":…}`: what stands before it and the plain members
 * behind it. Whatever else stands behind it is lost, and must be nothing that is used. Where what was found is not the
 * line's own but stands inside another member, the rest is no JSON.
 */
function withoutLast(line: Buffer, cut: number): Glimpse | undefined {
  const tail = lastPlainMembers(line, cut);
  if (tail === undefined || usedKey.test(line.toString('latin1', Math.max(cut + again.length, tail - lookBack), tail)))
    return undefined;
  return { read: textOfBytes(line.subarray(0, cut)) + textOfBytes(line.subarray(tail)) };
}

/** Other members behind it are few and short. */
const lookBack = 2048;
const usedKey =
  /,"(?:type|uuid|parentUuid|timestamp|sessionId|session_id|agentId|isSidechain|parent_tool_use_id|version|cwd|message|isMeta|isCompactSummary|origin|sourceToolUseID)":/;
