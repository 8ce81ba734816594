import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, StreamingMode } from '@google/adk';
import type { Content } from '@google/genai';
import { type AdapterDriver, adapterLaws } from '@loopfuse/testkit/adapters';
import { z } from 'zod';
import { guarded, withLoopError } from './index.js';

/** Gemini's own client, at the scripted server. */
class ScriptedGemini extends Gemini {
  readonly #url: string;
  constructor(url: string, model: string) {
    super({ model, apiKey: 'scripted', vertexai: false });
    this.#url = url;
  }
  protected override getHttpOptions() {
    return { ...super.getHttpOptions(), baseUrl: this.#url };
  }
}

const driver: AdapterDriver = {
  name: 'Google ADK',
  protocol: 'gemini',
  async run({ url, model, stronger, prompt, tools, stream, session, signal, approve }) {
    const agent = new LlmAgent(
      guarded(
        {
          name: 'worker',
          model: new ScriptedGemini(url, model),
          instruction: 'Work.',
          tools: tools.map(
            (one) =>
              new FunctionTool({
                name: one.name,
                description: one.description,
                parameters: z.object(Object.fromEntries(one.parameters.map((name) => [name, z.string()]))),
                execute: async (input) => one.execute(input as Record<string, string>),
              }),
          ),
        },
        { session, escalateTo: new ScriptedGemini(url, stronger) },
      ),
    );
    const runner = new InMemoryRunner({ agent, appName: 'laws' });
    const { id: sessionId } = await runner.sessionService.createSession({ appName: 'laws', userId: 'user' });
    const runConfig = { maxLlmCalls: 60, streamingMode: stream ? StreamingMode.SSE : StreamingMode.NONE };
    let newMessage: Content | undefined = { role: 'user', parts: [{ text: prompt }] };
    let text = '';
    while (newMessage) {
      const answers: NonNullable<Content['parts']> = [];
      const events = runner.runAsync({ userId: 'user', sessionId, newMessage, runConfig, abortSignal: signal });
      for await (const event of withLoopError(events, session)) {
        const { content, partial, errorMessage } = event;
        if (errorMessage !== undefined && !signal.aborted) throw new Error(errorMessage);
        if (partial) continue;
        for (const { functionCall, text: said } of content?.parts ?? []) {
          if (functionCall?.name === 'adk_request_confirmation') {
            const { hint = '' } = (functionCall.args as { toolConfirmation: { hint?: string } }).toolConfirmation;
            const response = { confirmed: approve(hint) };
            answers.push({ functionResponse: { id: functionCall.id ?? '', name: functionCall.name, response } });
          }
          if (said !== undefined) text = said;
        }
      }
      newMessage = answers.length > 0 ? { role: 'user', parts: answers } : undefined;
    }
    return text;
  },
};

adapterLaws(driver);
