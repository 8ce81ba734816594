import { access } from './access.mjs';
import { agreement } from './agreement.mjs';
import { approval } from './approval.mjs';
import { attachments } from './attachments.mjs';
import { benchmarks } from './benchmarks.mjs';
import { chat } from './chat.mjs';
import { choices } from './choices.mjs';
import { editor } from './editor.mjs';
import { edits } from './edits.mjs';
import { eightPoints } from './eight-points.mjs';
import { faults } from './faults.mjs';
import { loops } from './loops.mjs';
import { modelPicker } from './model-picker.mjs';
import { nothingLost } from './nothing-lost.mjs';
import { safety } from './safety.mjs';
import { sessions } from './sessions.mjs';

/**
 * The scenes in this order: each has a model, settings, and what the user does. Consecutive scenes with the same settings share a
 * window, each with a new chat, unless they are `fresh`.
 */
export const scenes = {
  ...chat,
  ...loops,
  ...choices,
  ...approval,
  ...attachments,
  ...modelPicker,
  ...edits,
  ...faults,
  ...sessions,
  ...editor,
  ...nothingLost,
  ...agreement,
  ...safety,
  ...access,
  ...eightPoints,
  ...benchmarks,
};
