import { answerSchema } from './answer.js';
import type { JudgeRequest } from './ask/ask.js';
import { prompt } from './prompt.generated.js';
import { renderRecord } from './transcript/render-record.js';
import type { Transcript } from './transcript/transcript.js';

const closing =
  'Is the agent stuck in a loop at the end of this record? Judge it as you were told, and answer with the JSON object.';

/** The request to a judge about a transcript: the task, the record, and the question last, where it has most weight. */
export function questionOn(
  transcript: Pick<Transcript, 'request' | 'forgotten' | 'entries'>,
  characters: number,
): Omit<JudgeRequest, 'attempt'> {
  return { system: prompt, prompt: `${renderRecord(transcript, characters)}\n\n${closing}`, schema: answerSchema };
}
