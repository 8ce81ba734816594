import { aider } from './aider/index.js';
import { claudeCode } from './claude-code/index.js';
import { cline, clineCli } from './cline/index.js';
import { codex } from './codex/index.js';
import { copilotCli } from './copilot-cli/index.js';
import { cursor } from './cursor/index.js';
import { droid } from './droid/index.js';
import type { Format } from './format.js';
import { geminiCli, geminiCliDocument } from './gemini-cli/index.js';
import { kimi, kimiContext } from './kimi/index.js';
import { langfuse, langfuseCsv, langfuseLines } from './langfuse/index.js';
import { langsmith, langsmithLines } from './langsmith/index.js';
import { loopfuseSession } from './loopfuse-session/index.js';
import { messageLines, messages } from './messages/index.js';
import { opencodeDatabase, opencodeExport, opencodeStorage } from './opencode/index.js';
import { openhands, openhandsFolder, openhandsLines } from './openhands/index.js';
import { otel, otelLines } from './otel/index.js';
import { phoenix, phoenixLines } from './phoenix/index.js';
import { pi } from './pi/index.js';
import { qwenCode } from './qwen-code/index.js';
import { readWith } from './reading/read.js';
import { rooCode } from './roo-code/index.js';
import { sweAgent } from './swe-agent/index.js';
import { trace } from './trace/index.js';
import type { ReadOptions, ReadSummary, SessionVisitor } from './visitor.js';

export { sessionLogOf, subagentLogsOf } from './claude-code/index.js';
export type * from './format.js';
export { readWith } from './reading/read.js';
export { createReading, type Reading } from './reading/reading.js';
export { type ReadingOn, readingOn } from './reading/reading-on.js';
export { type DocumentHead, type Head, headOf } from './records/head.js';
export { packingOf } from './records/unpacking.js';
export type * from './visitor.js';
// For callers that know the format.
export { claudeCode, codex, copilotCli, geminiCli, qwenCode };

/** Every known format. The first that recognises the beginning of a file reads it; `messages` is tried last. */
export const formats: readonly Format[] = [
  trace,
  loopfuseSession,
  claudeCode,
  codex,
  ...[geminiCli, geminiCliDocument],
  qwenCode,
  ...[opencodeExport, opencodeDatabase, opencodeStorage],
  copilotCli,
  ...[rooCode, cline, clineCli],
  pi,
  ...[kimi, kimiContext],
  droid,
  cursor,
  ...[openhands, openhandsLines, openhandsFolder],
  sweAgent,
  aider,
  ...[otel, otelLines],
  ...[langfuse, langfuseLines, langfuseCsv],
  ...[langsmith, langsmithLines],
  ...[phoenix, phoenixLines],
  ...[messages, messageLines],
];

/** Reads the sessions in a file, whatever agent wrote it (see `readWith`). */
export function readSessions(file: string, visitor: SessionVisitor, options?: ReadOptions): Promise<ReadSummary> {
  return readWith(formats, file, visitor, options);
}
