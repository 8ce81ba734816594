import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { guardedAnthropic, guardedGenAI, guardedOpenAI, openSession, refusalOf } from '@loopfuse/streams';
import OpenAI from 'openai';

type Tool = (input: unknown) => string;

/** A loop of your own: ask, run the calls, repeat. Three lines of it are the guard's. */
export async function answer(messages: OpenAI.ChatCompletionMessageParam[], tools: Record<string, Tool>) {
  const session = openSession();
  const client = guardedOpenAI(new OpenAI(), session);
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages });
    const message = choices[0]!.message;
    if (session.error || !message.tool_calls) return message.content;
    messages.push(message);
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue;
      const { name, arguments: input } = call.function;
      const content = (await refusalOf(session, { id: call.id, tool: name, input })) ?? tools[name]!(JSON.parse(input));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

export const claude = guardedAnthropic(new Anthropic(), openSession());
export const gemini = guardedGenAI(new GoogleGenAI({}), openSession());
