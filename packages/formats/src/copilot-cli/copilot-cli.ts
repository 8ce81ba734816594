import type { Json } from 'loopfuse';
import type { LinesFormat, Recorder, Translator } from '../format.js';
import { contentOf } from '../translating/content.js';
import { createEchoes } from '../translating/echoes.js';
import { isObject, list, num, type Obj, obj, parsed, str, timeOf } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** GitHub Copilot CLI's event logs (`$COPILOT_HOME/session-state/…/events.jsonl`). */
export const copilotCli: LinesFormat = {
  name: 'copilot-cli',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isCopilotLine),
  translate: translateCopilotCli,
};

function isCopilotLine(line: Json): boolean {
  const { type, data, id } = obj(line);
  return (
    typeof type === 'string' && isObject(data) && str(id) !== undefined && /^(session|user|assistant|tool)\./.test(type)
  );
}

function translateCopilotCli(recorder: Recorder): Translator<Json> {
  const seen = new Set<string>();
  const echoOfReasoning = createEchoes();
  /** The call that started a sub-agent, by the sub-agent's id: its records have one or the other. */
  const callOfAgent = new Map<string, string>();
  let transcript: Transcript | undefined;
  let answers = 0;
  /** Whether the next message begins an answer, for logs without the beginnings of turns. */
  let fresh = true;

  function open(id?: string): Transcript {
    transcript ??= createTranscript(recorder, recorder.open(id ?? recorder.fallbackId, { agent: 'copilot-cli' }));
    return transcript;
  }

  function learn(data: Obj): void {
    const context = obj(data.context);
    recorder.open(open(str(data.sessionId)).session.id, {
      project: str(context.cwd),
      version: str(data.copilotVersion),
      model: str(data.selectedModel),
    });
  }

  function laneOf(line: Obj, data: Obj): string | undefined {
    const agent = str(line.agentId);
    const parent = str(data.parentToolCallId) ?? (line.type === 'subagent.started' ? str(data.toolCallId) : undefined);
    if (agent === undefined) return parent;
    if (parent !== undefined) callOfAgent.set(agent, parent);
    return parent ?? callOfAgent.get(agent) ?? agent;
  }

  function call(request: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const id = str(request.toolCallId);
    // One call has two records: the request in the answer, and the beginning of its execution.
    if (id !== undefined && to.waits(id)) return;
    to.call(id, str(request.name) ?? str(request.toolName) ?? 'unknown', parsed(request.arguments), at, lane);
  }

  function message(data: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const model = str(data.model);
    if (model !== undefined && lane === undefined) to.session.model = model;
    if (fresh) answers++;
    fresh = false;
    to.turn(`answer-${answers}`, at, lane);
    const reasoning = str(data.reasoningText);
    if (reasoning !== undefined && !echoOfReasoning(1, reasoning)) to.reasoning(reasoning, at, lane);
    to.text(str(data.content) ?? '', at, lane);
    for (const request of list(data.toolRequests)) call(obj(request), to, at, lane);
  }

  function completed(data: Obj, to: Transcript, at: number | undefined, lane: string | undefined): void {
    const model = str(data.model);
    if (model !== undefined && lane === undefined) to.session.model ??= model;
    const result = obj(data.result);
    const output = contentOf(result.content ?? obj(data.error).message ?? data.error ?? data.result);
    to.result({
      id: str(data.toolCallId),
      output,
      failed: typeof data.success === 'boolean' ? !data.success || exitedBadly(output) : undefined,
      at,
      lane,
    });
    fresh = true;
  }

  return {
    record(value) {
      const line = obj(value);
      const data = obj(line.data);
      const key = `${String(line.id)} ${String(line.timestamp)} ${String(line.type)}`;
      if (str(line.id) !== undefined) {
        if (seen.has(key)) {
          recorder.skip('repeated line');
          return;
        }
        seen.add(key);
      }
      const at = timeOf(line.timestamp);
      const lane = laneOf(line, data);
      switch (line.type) {
        case 'session.start':
        case 'session.resume':
          learn(data);
          return;
        case 'user.message':
          fresh = true;
          if (str(data.source) !== undefined && data.source !== 'user')
            recorder.skip('user.message: written by the agent itself');
          else open().prompt(str(data.content) ?? '', at, lane);
          return;
        case 'assistant.turn_start':
          fresh = false;
          open().turn(`answer-${++answers}`, at, lane);
          return;
        case 'assistant.message':
          message(data, open(), at, lane);
          return;
        case 'assistant.reasoning': {
          const text = str(data.content);
          if (text !== undefined && !echoOfReasoning(-1, text)) open().reasoning(text, at, lane);
          return;
        }
        case 'tool.execution_start':
          call(data, open(), at, lane);
          return;
        case 'tool.execution_complete':
          completed(data, open(), at, lane);
          return;
        case 'assistant.turn_end':
          open().endTurn(undefined, at, lane);
          return;
        case 'assistant.usage':
        case 'session.usage_record': {
          const usage = isObject(data.usage) ? obj(data.usage) : data;
          open().usage(
            {
              input: num(usage.inputTokens),
              output: num(usage.outputTokens),
              cached: num(usage.cacheReadTokens),
              written: num(usage.cacheWriteTokens),
              model: str(data.model) ?? str(usage.model),
            },
            at,
            lane,
          );
          return;
        }
        case 'abort':
          open().interrupt(at, lane);
          return;
        case 'session.truncation':
        case 'session.compaction_complete':
          open().compaction(at, lane);
          return;
        case 'session.model_change':
          if (lane === undefined) recorder.open(open().session.id, { model: str(data.newModel) });
          return;
        default:
          recorder.skip(String(line.type));
      }
    },
    end() {
      transcript?.end();
    },
  };
}

/** A command that ran counts as a success; its exit code stands at the end of the output. */
function exitedBadly(output: Json): boolean {
  if (typeof output !== 'string') return false;
  const code = /completed with exit code (-?\d+)>\s?$/.exec(output.slice(-100))?.[1];
  return code !== undefined && code !== '0';
}
