export { otel, otelLines } from './otel.js';
