import { type AdapterDriver, adapterLaws, schemaOf } from '@loopfuse/testkit/adapters';
import { Agent, OpenAIProvider, Runner, type RunState, tool } from '@openai/agents';
import { guarded } from './index.js';

const driver = (useResponses: boolean): AdapterDriver => ({
  name: `OpenAI Agents over the ${useResponses ? 'responses' : 'chat'} protocol`,
  protocol: useResponses ? 'openai-responses' : 'openai-chat',
  async run({ url, model, stronger, prompt, tools, stream, session, signal, approve }) {
    const modelProvider = new OpenAIProvider({ apiKey: 'scripted', baseURL: `${url}/v1`, useResponses });
    const agent = new Agent({
      name: 'worker',
      model,
      tools: tools.map((one) =>
        tool({
          name: one.name,
          description: one.description,
          parameters: schemaOf(one),
          strict: true,
          execute: async (input) => one.execute(input as Record<string, string>),
        }),
      ),
    });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const options = { maxTurns: 60, signal };
    const escalateTo = await modelProvider.getModel(stronger);
    const watched = guarded(agent, { session, modelProvider, escalateTo });
    const ask = async (input: string | RunState<unknown, typeof watched>) => {
      if (!stream) return runner.run(watched, input, options);
      const result = await runner.run(watched, input, { ...options, stream: true });
      await result.completed;
      return result;
    };
    let result = await ask(prompt);
    while (result.interruptions?.length) {
      for (const call of result.interruptions) {
        if (approve(session.question?.message ?? '')) result.state.approve(call);
        else result.state.reject(call);
      }
      result = await ask(result.state);
    }
    return String(result.finalOutput);
  },
});

adapterLaws(driver(true));
adapterLaws(driver(false));
