import { policyNames } from 'loopfuse';
import { presetNames } from 'loopfuse/presets';
import { z } from 'zod';
import { providerNames } from '../model/create-model.js';
import { reasoningLevels } from '../model/request-options.js';
import { approvalModes } from '../scheduler/approval.js';
import { detectorSettings } from './detector-settings.js';

const model = {
  provider: z.enum(providerNames).optional().describe('Who runs the model.'),
  baseURL: z.url().optional().describe('The address of the provider, if it is not the usual one.'),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable')
    .optional()
    .describe('The environment variable that holds the key, if not the usual one. Keys themselves do not belong here.'),
};

const toolRule = z.strictObject({
  identity: z.array(z.string()).optional().describe('The arguments that make two calls the same; others are ignored.'),
  effect: z.enum(['read', 'write', 'run', 'poll', 'note']).optional().describe('What the tool does.'),
  times: z.int().min(2).optional().describe('How many equal rounds of this tool make a loop.'),
  exempt: z.boolean().optional().describe('Never take calls of this tool for a loop.'),
});

const judge = z.strictObject({
  ...model,
  model: z.string().min(1).optional().describe('The model that judges; by default the one of the conversation.'),
  disable: z.boolean().optional().describe('No second opinion, though the preset asks for one.'),
  confirmModel: z.string().min(1).optional().describe('A second model that must agree before it counts as a loop.'),
  schedule: z
    .enum(['evidence', 'ancestors'])
    .optional()
    .describe(
      'When to ask: when there is evidence of a stall (evidence), or by the count of turns alone (ancestors). By default as the preset does; balanced goes by evidence.',
    ),
});

const escalation = z.strictObject({
  ...model,
  model: z.string().min(1).describe('The stronger model.'),
  times: z.int().min(1).max(10).optional().describe('How many turns of a request it may take at most; 1 by default.'),
});

/** The contents of a settings file. Everything is optional. */
export const settingsSchema = z
  .strictObject({
    $schema: z.string().optional(),
    ...model,
    model: z.string().min(1).optional().describe('The name of the model, as the provider calls it.'),
    reasoning: z
      .enum(reasoningLevels)
      .optional()
      .describe(
        'How much the model thinks, where it can. Its thoughts are shown, and the loop guard reads them; off asks for none.',
      ),
    promptCaching: z
      .enum(['on', 'off'])
      .optional()
      .describe('Let the provider keep what it has read for a while, which costs less every turn; on by default.'),
    maxOutputTokens: z.int().min(1).optional().describe('How many tokens the model may write in one turn.'),
    contextTokens: z.int().min(1000).optional().describe('How many tokens the model can take; 128000 by default.'),
    maxTurns: z.int().min(1).optional().describe('Model requests for one message at most; 100 by default.'),
    approval: z
      .enum(approvalModes)
      .optional()
      .describe('Which changes need approval: every one (ask), commands only (auto-edit), none (yolo).'),
    shellTimeoutSeconds: z
      .number()
      .positive()
      .max(1800)
      .optional()
      .describe('How long a command may run; 120 by default.'),
    preset: z
      .enum(presetNames)
      .optional()
      .describe('Which detectors watch, and how loops are handled where no policy is set.'),
    policy: z
      .enum(policyNames)
      .optional()
      .describe(
        'What is done about a loop: tell the model once, then ask (interactive); tell it, refuse the call, then stop (unattended); ask or stop at once; only watch (shadow).',
      ),
    rewinds: z
      .int()
      .min(0)
      .max(10)
      .optional()
      .describe(
        'How many times in a request a loop is taken out of the context of the model, after it was told and before the policy asks or stops; 0 by default.',
      ),
    escalate: escalation
      .optional()
      .describe('A stronger model that takes one turn after that, before the policy asks or stops.'),
    disable: z.boolean().optional().describe('Switch loop detection off.'),
    recovery: z
      .int()
      .min(1)
      .optional()
      .describe('How many clean calls after a warning count as recovered; 8 by default.'),
    detectors: detectorSettings
      .optional()
      .describe('Thresholds of the balanced preset, by detector; false leaves one out.'),
    tools: z
      .record(z.string(), toolRule)
      .optional()
      .describe('What is known about tools, by name; * stands for any run of characters.'),
    judge: judge
      .optional()
      .describe(
        'A language model that gives a second opinion. The presets gemini-cli, qwen-code and deepv-code ask one by themselves.',
      ),
  })
  .meta({ title: 'Loopfuse settings' });

export type Settings = z.infer<typeof settingsSchema>;

/** The JSON Schema that is published with the package, for editors. */
export function settingsJsonSchema(): object {
  return z.toJSONSchema(settingsSchema, { target: 'draft-7', io: 'input' });
}
