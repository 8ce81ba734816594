import { askModel, type Message, type ModelAnswer, type OfferedTool, type Protocol } from '@loopfuse/model-server';

export interface DriveOptions {
  readonly url: string;
  readonly protocol: Protocol;
  readonly stream: boolean;
  readonly prompt?: string;
  readonly system?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The most rounds. */
  readonly rounds?: number;
  /** Returns the result of a tool. */
  readonly run?: (tool: string, input: unknown, nth: number) => string;
}

export interface Drive {
  /** What the agent received, one for every request. */
  readonly answers: readonly ModelAnswer[];
  readonly messages: readonly Message[];
  /** Calls that the agent has run. */
  readonly calls: number;
}

const tools: readonly OfferedTool[] = ['read_file', 'search_files', 'write_file', 'run_command'].map((name) => ({
  name,
  description: name,
  takes: 'object',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      query: { type: 'string' },
      content: { type: 'string' },
      command: { type: 'string' },
    },
  },
}));

/** A small agent: runs what the model calls and sends everything back, until the model calls nothing. */
export async function driveAgent(options: DriveOptions): Promise<Drive> {
  const { url, protocol, stream, rounds = 20, headers = {}, system = 'You are a careful agent.' } = options;
  const { prompt = 'What does the main function do?', run = (tool) => `the result of ${tool}` } = options;
  const empty = { text: '', reasoning: '', calls: [], results: [] };
  const messages: Message[] = [{ ...empty, role: 'user', text: prompt }];
  const answers: ModelAnswer[] = [];
  let calls = 0;
  for (let round = 0; round < rounds; round++) {
    const answer = await askModel({ url, protocol, stream, messages, tools, system, headers });
    answers.push(answer);
    if (answer.status !== 200 || answer.broken) break;
    messages.push({ ...empty, role: 'assistant', text: answer.text, calls: answer.calls });
    if (answer.calls.length === 0) break;
    const results = answer.calls.map(({ id, tool, input }) => ({ id, tool, text: run(tool, input, calls++) }));
    messages.push({ ...empty, role: 'tool', results });
  }
  return { answers, messages, calls };
}
