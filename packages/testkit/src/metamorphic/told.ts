import type { AgentEvent, EventOf, Json } from 'loopfuse';

/** Hosts that write down in text what others write as calls and results. Each event stays one event. */

/** The result of a call as a prompt: the next thing that the model is told. */
export function inPrompt(event: AgentEvent): AgentEvent {
  return event.type === 'tool-result'
    ? { ...placed(event), type: 'prompt', text: `Output:\n${textIn(event.output)}` }
    : event;
}

/** A call as ReAct agents write it. */
export function inWords(event: AgentEvent): AgentEvent {
  return asText(event, ({ tool, input }) => `\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}\n`);
}

/** A call in tags: one for the tool, one for each argument. */
export function inTags(event: AgentEvent): AgentEvent {
  return asText(event, ({ tool, input }) => {
    const inner = fieldsOf(input).map(([name, value]) => `<${name}>${textIn(value)}</${name}>`);
    return `\n<${tool}>\n${inner.length > 0 ? inner.join('\n') : textIn(input)}\n</${tool}>\n`;
  });
}

/** A call as a line of code, in a block of its own. */
export function inCode(event: AgentEvent): AgentEvent {
  return asText(event, ({ tool, input }) => {
    const inner = fieldsOf(input).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return `\n\`\`\`python\n${tool}(${inner.length > 0 ? inner.join(', ') : JSON.stringify(input)})\n\`\`\`\n`;
  });
}

/** A call as JSON in a block. */
export function inJson(event: AgentEvent): AgentEvent {
  return asText(event, ({ tool, input }) => {
    const call = JSON.stringify({ action: tool, action_input: input }, null, 2);
    return `\n\`\`\`json\n${call}\n\`\`\`\n`;
  });
}

/** A call as a command in a block for a shell, and what the process returned, in tags. */
export function inShell(event: AgentEvent): AgentEvent {
  if (event.type === 'tool-result') {
    const text = `<returncode>${event.failed === true ? 1 : 0}</returncode>\n<output>\n${textIn(event.output)}\n</output>`;
    return { ...placed(event), type: 'prompt', text };
  }
  return asText(event, ({ tool, input }) => {
    const values = fieldsOf(input).map(([, value]) => textIn(value));
    return `\n\`\`\`bash\n${tool} ${values.length > 0 ? values.join(' ') : textIn(input)}\n\`\`\`\n`;
  });
}

function asText(event: AgentEvent, write: (call: EventOf<'tool-call'>) => string): AgentEvent {
  return event.type === 'tool-call' ? { ...placed(event), type: 'text', text: write(event) } : event;
}

/** Where and when an event happened. */
function placed({ lane, at }: AgentEvent) {
  return { ...(lane === undefined ? {} : { lane }), ...(at === undefined ? {} : { at }) };
}

function fieldsOf(input: Json): readonly (readonly [string, Json])[] {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.entries(input) : [];
}

function textIn(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
