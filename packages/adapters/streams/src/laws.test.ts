import Anthropic from '@anthropic-ai/sdk';
import { type Content, type FunctionCall, GoogleGenAI } from '@google/genai';
import type { Session } from '@loopfuse/session';
import { type AdapterDriver, adapterLaws, type Run, schemaOf } from '@loopfuse/testkit/adapters';
import OpenAI from 'openai';
import { guardedAnthropic, guardedGenAI, guardedOpenAI, refusalOf } from './index.js';

interface Called {
  readonly id?: string | undefined;
  readonly name: string;
  readonly input: unknown;
}

/** A loop as hosts write it: the history grows by what the model said and by the results of its calls. */
async function loop<Entry>(
  { tools, session }: Run,
  ask: () => Promise<{ said: readonly Entry[]; text: string; calls: readonly Called[] }>,
  history: Entry[],
  answer: (results: readonly (Called & { output: string })[]) => readonly Entry[],
): Promise<string> {
  for (;;) {
    const { said, text, calls } = await ask();
    if (session.error || calls.length === 0) return text;
    const results: (Called & { output: string })[] = [];
    for (const call of calls) {
      const refusal = await refused(session, call);
      const tool = tools.find(({ name }) => name === call.name);
      results.push({ ...call, output: refusal ?? tool!.execute(call.input as Record<string, string>) });
    }
    history.push(...said, ...answer(results));
  }
}

const cannot = { approve: 'a client has no approvals: the loop is the host’s, and onAsk asks' };

const refused = (session: Session, { id, name, input }: Called) => refusalOf(session, { id, tool: name, input });

function openai({ url, session, stronger }: Run) {
  const client = new OpenAI({ apiKey: 'scripted', baseURL: `${url}/v1` });
  return guardedOpenAI(client, session, { escalateTo: stronger });
}

const chat: AdapterDriver = {
  name: 'openai, chat completions',
  cannot,
  protocol: 'openai-chat',
  async run(run) {
    const { model, prompt, tools, stream, signal } = run;
    const client = openai(run);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }];
    const offered = tools.map((one) => ({
      type: 'function' as const,
      function: { name: one.name, description: one.description, parameters: schemaOf(one) as Record<string, unknown> },
    }));
    const ask = async () => {
      let text = '';
      const calls: { id: string; name: string; input: string }[] = [];
      if (stream) {
        const body = { model, messages, tools: offered, stream: true } as const;
        for await (const { choices } of await client.chat.completions.create(body, { signal })) {
          text += choices[0]?.delta.content ?? '';
          for (const part of choices[0]?.delta.tool_calls ?? []) {
            calls[part.index] ??= { id: part.id ?? '', name: part.function?.name ?? '', input: '' };
            calls[part.index]!.input += part.function?.arguments ?? '';
          }
        }
      } else {
        const { choices } = await client.chat.completions.create({ model, messages, tools: offered }, { signal });
        text = choices[0]?.message.content ?? '';
        for (const call of choices[0]?.message.tool_calls ?? [])
          if (call.type === 'function')
            calls.push({ id: call.id, name: call.function.name, input: call.function.arguments });
      }
      const said: OpenAI.ChatCompletionMessageParam[] = [
        {
          role: 'assistant',
          content: text,
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.input },
          })),
        },
      ];
      return { said, text, calls: calls.map((call) => ({ ...call, input: JSON.parse(call.input) })) };
    };
    return loop(run, ask, messages, (results) =>
      results.map(({ id, output }) => ({ role: 'tool', tool_call_id: id ?? '', content: output })),
    );
  },
};

const responses: AdapterDriver = {
  name: 'openai, responses',
  cannot,
  protocol: 'openai-responses',
  async run(run) {
    const { model, prompt, tools, stream, signal } = run;
    const client = openai(run);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: prompt }];
    const offered = tools.map((one) => ({
      type: 'function' as const,
      name: one.name,
      description: one.description,
      parameters: schemaOf(one) as Record<string, unknown>,
      strict: true,
    }));
    const ask = async () => {
      let text = '';
      const said: OpenAI.Responses.ResponseOutputItem[] = [];
      if (stream) {
        const body = { model, input, tools: offered, stream: true } as const;
        for await (const event of await client.responses.create(body, { signal })) {
          if (event.type === 'response.output_text.delta') text += event.delta;
          if (event.type === 'response.output_item.done') said.push(event.item);
        }
      } else {
        const { output } = await client.responses.create({ model, input, tools: offered }, { signal });
        said.push(...output);
        for (const item of output)
          if (item.type === 'message')
            text += item.content.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
      }
      const calls = said.flatMap((item) =>
        item.type === 'function_call'
          ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
          : [],
      );
      return { said: said as OpenAI.Responses.ResponseInputItem[], text, calls };
    };
    return loop(run, ask, input, (results) =>
      results.map(({ id, output }) => ({ type: 'function_call_output', call_id: id ?? '', output })),
    );
  },
};

const claude: AdapterDriver = {
  name: '@anthropic-ai/sdk',
  cannot,
  protocol: 'anthropic',
  async run(run) {
    const { url, model, stronger, prompt, tools, stream, session, signal } = run;
    const client = guardedAnthropic(new Anthropic({ apiKey: 'scripted', baseURL: url }), session, {
      escalateTo: stronger,
    });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }];
    const offered = tools.map((one) => ({
      name: one.name,
      description: one.description,
      input_schema: schemaOf(one),
    }));
    const ask = async () => {
      const said: Anthropic.ContentBlockParam[] = [];
      const body = { model, messages, tools: offered, max_tokens: 1000 };
      if (stream) {
        const inputs = new Map<number, string>();
        for await (const event of await client.messages.create({ ...body, stream: true }, { signal })) {
          if (event.type === 'content_block_start')
            said[event.index] = event.content_block as Anthropic.ContentBlockParam;
          if (event.type !== 'content_block_delta') continue;
          const block = said[event.index];
          if (event.delta.type === 'text_delta' && block?.type === 'text')
            said[event.index] = { type: 'text', text: block.text + event.delta.text };
          if (event.delta.type === 'input_json_delta' && block?.type === 'tool_use') {
            const input = (inputs.get(event.index) ?? '') + event.delta.partial_json;
            inputs.set(event.index, input);
            try {
              said[event.index] = { ...block, input: JSON.parse(input) };
            } catch {
              // not whole yet
            }
          }
        }
      } else {
        const { content } = await client.messages.create(body, { signal });
        said.push(...(content as Anthropic.ContentBlockParam[]));
      }
      const kept = said.filter((block) => (block.type === 'text' && block.text !== '') || block.type === 'tool_use');
      const text = kept.map((block) => (block.type === 'text' ? block.text : '')).join('');
      const calls = kept.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
      );
      const turn: Anthropic.MessageParam[] = [{ role: 'assistant', content: kept }];
      return { said: turn, text, calls };
    };
    return loop(run, ask, messages, (results) => [
      {
        role: 'user' as const,
        content: results.map(({ id, output }) => ({
          type: 'tool_result' as const,
          tool_use_id: id ?? '',
          content: output,
        })),
      },
    ]);
  },
};

const google: AdapterDriver = {
  name: '@google/genai',
  cannot,
  protocol: 'gemini',
  async run(run) {
    const { url, model, stronger, prompt, tools, stream, session, signal } = run;
    const made = new GoogleGenAI({ apiKey: 'scripted', httpOptions: { baseUrl: url } });
    const client = guardedGenAI(made, session, { escalateTo: stronger });
    const contents: Content[] = [{ role: 'user', parts: [{ text: prompt }] }];
    const functionDeclarations = tools.map((one) => ({
      name: one.name,
      description: one.description,
      parametersJsonSchema: schemaOf(one),
    }));
    const ask = async () => {
      const body = { model, contents, config: { tools: [{ functionDeclarations }], abortSignal: signal } };
      let text = '';
      const made: FunctionCall[] = [];
      const answers = stream
        ? await client.models.generateContentStream(body)
        : [await client.models.generateContent(body)];
      for await (const { candidates } of answers)
        for (const part of candidates?.[0]?.content?.parts ?? []) {
          if (part.functionCall) made.push(part.functionCall);
          else if (!part.thought) text += part.text ?? '';
        }
      const parts = [...(text === '' ? [] : [{ text }]), ...made.map((functionCall) => ({ functionCall }))];
      const calls = made.map(({ id, name = '', args }) => ({ id, name, input: args }));
      const said: Content[] = [{ role: 'model', parts }];
      return { said, text, calls };
    };
    return loop(run, ask, contents, (results) => [
      {
        role: 'user',
        parts: results.map(({ id, name, output }) => ({
          functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output } },
        })),
      },
    ]);
  },
};

for (const driver of [chat, responses, claude, google]) adapterLaws(driver);
