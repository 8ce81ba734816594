export { type Evaluation, type EvaluationOptions, type Evaluations, startEvaluations } from './evaluations.js';
export {
  type GatewayReport,
  type GatewaySession,
  type GatewayTelemetryOptions,
  gatewayTelemetry,
} from './gateway-telemetry.js';
export { type Export, type ExportOptions, startExport } from './start-export.js';
export { type TelemetryOptions, telemetry } from './telemetry.js';
