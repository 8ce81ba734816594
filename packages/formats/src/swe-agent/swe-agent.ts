import type { Json } from 'loopfuse';
import type { DocumentFormat, Recorder, Translator } from '../format.js';
import { isObject, obj, parsed, str } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** SWE-agent's trajectories (`*.traj`). They have no times, and tokens only for the whole run. */
export const sweAgent: DocumentFormat = {
  name: 'swe-agent',
  shape: 'document',
  sniff: ({ document }) => document?.records.some(({ key, value }) => key === 'trajectory' && isStep(value)) === true,
  translate: translateSweAgent,
};

function isStep(value: Json): boolean {
  const { action, observation } = obj(value);
  return typeof action === 'string' && typeof observation === 'string' && obj(value).source === undefined;
}

function translateSweAgent(recorder: Recorder): Translator<Json> {
  let transcript: Transcript | undefined;
  let steps = 0;
  return {
    record(value, key) {
      transcript ??= createTranscript(recorder, recorder.open(recorder.fallbackId, { agent: 'swe-agent' }));
      if (key === 'trajectory') {
        const step = obj(value);
        const action = (str(step.action) ?? '').trim();
        transcript.turn(`step-${++steps}`);
        transcript.reasoning(str(step.thought) ?? '');
        if (action === '') {
          transcript.text(str(step.response) ?? '');
          return;
        }
        transcript.call(undefined, /^\S+/.exec(action)![0], { cmd: action });
        transcript.result({ output: str(step.observation) ?? '' });
      } else if (key === 'replay_config') {
        const config = parsed(value);
        const model = isObject(config) ? obj(obj(config.agent).model).name : undefined;
        recorder.open(transcript.session.id, { model: str(model) });
      } else recorder.skip(key);
    },
    end: () => transcript?.end(),
  };
}
