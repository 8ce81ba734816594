import { type AdapterDriver, adapterLaws, schemaOf } from '@loopfuse/testkit/adapters';
import {
  Agent,
  configureLogging,
  FunctionTool,
  InterruptResponseContent,
  type InvokeArgs,
  type Model,
} from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { loopPlugin } from './index.js';

// Its warnings are about what its models do not support, once for every request.
configureLogging({ debug() {}, info() {}, warn() {}, error: console.error });

type ModelOf = (modelId: string, url: string, signal: AbortSignal) => Model;

const openai: ModelOf = (modelId, url) =>
  new OpenAIModel({ modelId, apiKey: 'scripted', clientConfig: { baseURL: `${url}/v1` } });

/** This model of the SDK does not pass the cancel signal of a run on to its client. */
const anthropic: ModelOf = (modelId, url, signal) => {
  const cancellable: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal });
  const clientConfig = { baseURL: url, fetch: cancellable };
  return new AnthropicModel({ modelId, maxTokens: 4096, apiKey: 'scripted', clientConfig });
};

const driver = (protocol: AdapterDriver['protocol'], modelOf: ModelOf): AdapterDriver => ({
  name: `Strands Agents over ${protocol}`,
  protocol,
  async run({ url, model, stronger, prompt, tools, stream, session, signal, approve }) {
    const agent = new Agent({
      model: modelOf(model, url, signal),
      printer: false,
      plugins: [loopPlugin({ session, escalateTo: modelOf(stronger, url, signal) })],
      tools: tools.map(
        (one) =>
          new FunctionTool({
            name: one.name,
            description: one.description,
            inputSchema: schemaOf(one),
            callback: (input) => one.execute(input as Record<string, string>),
          }),
      ),
    });
    const options = { cancelSignal: signal, limits: { turns: 60 } };
    const ask = async (input: InvokeArgs) => {
      if (!stream) return agent.invoke(input, options);
      const events = agent.stream(input, options);
      for (;;) {
        const { done, value } = await events.next();
        if (done) return value;
      }
    };
    let result = await ask(prompt);
    while (result.stopReason === 'interrupt') {
      const answers = (result.interrupts ?? []).map(
        ({ id, reason }) => new InterruptResponseContent({ interruptId: id, response: approve(String(reason)) }),
      );
      result = await ask(answers);
    }
    return result.toString();
  },
});

adapterLaws(driver('openai-responses', openai));
adapterLaws(driver('anthropic', anthropic));
