export { type AskOptions, askModel, type ModelAnswer, pathOf } from './ask-model.js';
export { type Conversation, requestBodyOf } from './request-body-of.js';
