import type { Session } from '@loopfuse/session';
import { type LanguageModel, wrapLanguageModel } from 'ai';
import { loopMiddleware } from './middleware.js';
import { resolved } from './resolved-model.js';

export interface PrepareStepOptions {
  /** Takes one step when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: LanguageModel | undefined;
  /** The function that the host had before. */
  readonly own?: unknown;
}

/** A function for `prepareStep`: a model that it, or the host's own function, chooses for a step is watched as well. */
export function loopPrepareStep(
  session: Session,
  { escalateTo, own }: PrepareStepOptions = {},
): (options: object) => Promise<{ model?: LanguageModel } | undefined> {
  return async (options) => {
    const prepared = typeof own === 'function' ? await own(options) : undefined;
    const escalated = escalateTo !== undefined && session.takeEscalation() ? escalateTo : undefined;
    const model: LanguageModel | undefined = escalated ?? prepared?.model;
    return model === undefined ? prepared : { ...prepared, model: watched(model, session) };
  };
}

/** The model, watched by the session. */
export function watched(model: LanguageModel, session: Session): Exclude<LanguageModel, string> {
  return wrapLanguageModel({ model: resolved(model), middleware: loopMiddleware(session, { approves: true }) });
}
