export { type AskOptions, askModel, type Heard, pathOf } from './ask-model.js';
export type { Spoken } from './hear.js';
export { readEvents, type ServerEvent } from './read-events.js';
export { type Conversation, requestBodyOf } from './request-body-of.js';
