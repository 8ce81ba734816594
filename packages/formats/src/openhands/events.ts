import type { Json } from 'loopfuse';
import type { Recorder } from '../format.js';
import { contentOf, wordsOf } from '../translating/content.js';
import { isObject, list, num, type Obj, obj, parsed, str, timeOf } from '../translating/json.js';
import type { Transcript } from '../translating/transcript.js';

/** Whether a value is an event of OpenHands: an action or an observation, or an event of its later SDK. */
export function isEvent(value: Json): boolean {
  const { action, args, observation, content, kind, source, extras } = obj(value);
  if (typeof kind === 'string') return str(source) !== undefined && /(Event|Observation|Condensation)$/.test(kind);
  if (typeof action === 'string') return isObject(args);
  return (
    typeof observation === 'string' && content !== undefined && (extras !== undefined || str(source) !== undefined)
  );
}

/** Arguments of an action that are not part of the call. */
const aside = new Set([
  'thought',
  'hidden',
  'is_confirmed',
  'confirmation_state',
  'security_risk',
  'blocking',
  'is_input',
  'is_static',
  'translated_ipython_code',
  'task_completed',
]);

/** Writes the events of one session. */
export function createEvents(recorder: Recorder, to: Transcript): (event: Json) => void {
  const seen = new Set<string>();
  let input = 0;
  let output = 0;
  let cached = 0;
  let cost = 0;
  let answers = 0;

  function action(event: Obj, at: number | undefined): void {
    const args = obj(event.args);
    const kind = str(event.action) ?? '';
    const thought = str(args.thought) ?? wordsOf(args.thought);
    if (kind === 'message') {
      const text = str(args.content) ?? str(event.message) ?? '';
      if (event.source === 'user') to.prompt(text, at);
      else {
        to.turn(`answer-${++answers}`, at);
        to.text(text, at);
      }
      return;
    }
    if (kind === 'condensation') {
      to.compaction(at);
      return;
    }
    const call = obj(event.tool_call_metadata);
    const tool = str(call.function_name) ?? kind;
    if (
      event.source === 'environment' ||
      /^(system|change_agent_state|recall|condensation_request|null|)$/.test(kind)
    ) {
      recorder.skip(`action: ${kind}`);
      return;
    }
    const response = obj(call.model_response);
    to.turn(str(response.id) ?? `answer-${++answers}`, at);
    recorder.open(to.session.id, { model: str(response.model) });
    if (tool !== 'think') to.text(thought, at);
    const inputs: { [name: string]: Json } = {};
    for (const [name, value] of Object.entries(args)) if (!aside.has(name) && value !== undefined) inputs[name] = value;
    to.call(idOf(event.id), tool, tool === 'think' ? { thought } : inputs, at);
    usage(event, at);
    if (kind === 'finish') to.result({ id: idOf(event.id), output: str(args.final_thought) ?? '', at });
  }

  /** Events have the totals so far. */
  function usage(event: Obj, at: number | undefined): void {
    const metrics = obj(event.llm_metrics);
    const sum = obj(metrics.accumulated_token_usage);
    const now = {
      input: num(sum.prompt_tokens) ?? 0,
      output: num(sum.completion_tokens) ?? 0,
      cached: num(sum.cache_read_tokens) ?? 0,
    };
    const spent = num(metrics.accumulated_cost) ?? 0;
    to.usage(
      {
        input: now.input - input,
        output: now.output - output,
        cached: now.cached - cached,
        cost: Math.round((spent - cost) * 1e6) / 1e6,
      },
      at,
    );
    if (now.input + now.output > input + output) ({ input, output, cached } = now);
    cost = Math.max(cost, spent);
  }

  function observation(event: Obj, at: number | undefined): void {
    const kind = str(event.observation) ?? '';
    if (/^(agent_state_changed|recall|null|system)$/.test(kind)) {
      recorder.skip(`observation: ${kind}`);
      return;
    }
    if (kind === 'agent_condensation') {
      to.compaction(at);
      return;
    }
    const extras = obj(event.extras);
    const code = num(obj(extras.metadata).exit_code) ?? num(extras.exit_code);
    const failed = code !== undefined ? code !== 0 : typeof event.success === 'boolean' ? !event.success : undefined;
    to.result({
      id: idOf(event.cause),
      output: contentOf(event.content),
      failed: kind === 'error' ? true : failed,
      at,
    });
  }

  /** The events of the SDK that OpenHands is built on now. */
  function sdkEvent(event: Obj, at: number | undefined): void {
    const id = str(event.tool_call_id);
    switch (event.kind) {
      case 'MessageEvent': {
        const message = obj(event.llm_message);
        const text = wordsOf(message.content);
        if (event.source === 'user') to.prompt(text, at);
        else {
          to.turn(str(event.llm_response_id) ?? `answer-${++answers}`, at);
          to.reasoning(str(message.reasoning_content) ?? '', at);
          to.text(text, at);
        }
        return;
      }
      case 'ActionEvent': {
        const call = obj(event.tool_call);
        const asked = parsed(call.arguments ?? obj(call.function).arguments);
        to.turn(str(event.llm_response_id) ?? `answer-${++answers}`, at);
        to.reasoning(str(event.reasoning_content) ?? '', at);
        to.text(wordsOf(event.thought), at);
        to.call(
          id,
          str(event.tool_name) ?? 'unknown',
          isObject(asked) && Object.keys(asked).length > 0 ? asked : (event.action ?? {}),
          at,
        );
        return;
      }
      case 'ObservationEvent': {
        const seen = obj(event.observation);
        const code = num(seen.exit_code) ?? num(obj(seen.metadata).exit_code);
        const failed =
          seen.is_error === true || str(seen.error) !== undefined ? true : code === undefined ? undefined : code !== 0;
        to.result({
          id,
          output: contentOf(seen.content ?? seen.output ?? seen.error ?? event.observation),
          failed,
          at,
        });
        return;
      }
      case 'AgentErrorEvent':
        to.result({ id, output: str(event.error) ?? '', failed: true, at });
        return;
      case 'UserRejectObservation':
        to.result({ id, output: str(event.rejection_reason) ?? 'rejected', failed: true, at });
        return;
      case 'Condensation':
        to.compaction(at);
        return;
      case 'PauseEvent':
        to.interrupt(at);
        return;
      default:
        recorder.skip(String(event.kind));
    }
  }

  return (value) => {
    const event = obj(value);
    const at = timeOf(event.timestamp);
    const id = idOf(event.id);
    if (id !== undefined) {
      const key = `${id} ${String(event.timestamp)}`;
      if (seen.has(key)) {
        recorder.skip('repeated event');
        return;
      }
      seen.add(key);
    }
    if (typeof event.kind === 'string') sdkEvent(event, at);
    else if (typeof event.action === 'string') action(event, at);
    else if (typeof event.observation === 'string') observation(event, at);
    else recorder.skip('unknown event');
  };
}

/** The events of a list that may hold pairs of an action and its observation, as older logs do. */
export function eventsOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

function idOf(id: Json | undefined): string | undefined {
  return typeof id === 'number' ? `event-${id}` : str(id);
}

export function historyOf(line: Json): readonly Json[] {
  const { history, trajectory, events } = obj(line);
  return (
    [list(history), list(trajectory), list(events)].find((found) =>
      found.some((each) => eventsOf(each).some(isEvent)),
    ) ?? []
  );
}
