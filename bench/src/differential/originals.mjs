/**
 * The originals behind one interface. They run with a stub for their configuration: no telemetry, and a model client that
 * answers what the stream says.
 *
 * @typedef {import('./streams.mjs').Answer} Answer
 * @typedef {{ entries: readonly unknown[], answer: Answer, asked: unknown[] | undefined }} Conversation
 * @typedef {{
 *   reset(promptId: string): void,
 *   addAndCheck(event: object): boolean,
 *   turnStarted(signal: AbortSignal): Promise<boolean>,
 *   disableForSession?(): void,
 * }} Service
 * @typedef {{
 *   name: 'gemini-cli' | 'qwen-code',
 *   version: string,
 *   window: { historyChars: number, gapChars: number },
 *   load(): Promise<(conversation: Conversation) => Service>,
 * }} Original
 */

/** @type {readonly Original[]} */
export const originals = [
  {
    name: 'gemini-cli',
    version: '@google/gemini-cli-core@0.15.1',
    window: { historyChars: 5000, gapChars: 250 },
    async load() {
      const { LoopDetectionService } = await import('gemini-cli-core-seed/dist/src/services/loopDetectionService.js');
      return (conversation) => new LoopDetectionService(stub(conversation));
    },
  },
  {
    name: 'qwen-code',
    version: '@qwen-code/qwen-code-core@0.0.14',
    window: { historyChars: 1000, gapChars: 75 },
    async load() {
      const { LoopDetectionService } = await import(
        '@qwen-code/qwen-code-core/dist/src/services/loopDetectionService.js'
      );
      return (conversation) => new LoopDetectionService(stub(conversation));
    },
  },
];

/** As much of a configuration as they ask for. @returns {any} */
function stub(/** @type {Conversation} */ conversation) {
  return {
    getUsageStatisticsEnabled: () => false,
    getDebugMode: () => false,
    getGeminiClient: () => ({
      getHistory: () => [...conversation.entries],
      // Qwen Code asks here,
      async generateJson(/** @type {unknown[]} */ contents) {
        return { reasoning: '', confidence: answered(conversation, contents) };
      },
    }),
    getBaseLlmClient: () => ({
      // and Gemini CLI here.
      async generateJson(/** @type {{ contents: unknown[] }} */ { contents }) {
        const confidence = answered(conversation, contents);
        return { unproductive_state_analysis: '', unproductive_state_confidence: confidence };
      },
    }),
  };
}

/** Notes which entries of the conversation the model was shown, leaving out what was put around them. */
function answered(/** @type {Conversation} */ conversation, /** @type {unknown[]} */ contents) {
  const known = new Set(conversation.entries);
  conversation.asked = contents.filter((entry) => known.has(entry));
  if (conversation.answer === 'error') throw new Error('the model does not answer');
  return conversation.answer;
}
