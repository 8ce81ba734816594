import { getDefaultModelSettings, type Model, type ModelProvider, type ModelRequest, Runner } from '@openai/agents';

export interface NamedModelOptions {
  /** The provider of the model; by default the SDK's default provider. */
  readonly provider: ModelProvider | undefined;
  /** Whether the agent has its own settings for the model. If not, the SDK's settings for the name are added. */
  readonly hasSettings: boolean;
}

/**
 * The model of that name, looked up at the first request: no provider is needed before. The SDK gives an agent that
 * names its model settings by the name, and the model of a stored prompt if the name is empty. For the SDK, our model
 * has no name, so both are done here.
 */
export function namedModel(name: string, { provider, hasSettings }: NamedModelOptions): Model {
  let found: Model | undefined;
  const find = async () => {
    found ??= await (provider ?? new Runner().config.modelProvider).getModel(name === '' ? undefined : name);
    return found;
  };

  function asNamed(request: ModelRequest, { supportsPromptModelSelection = false }: Model): ModelRequest {
    const { overridePromptModel, ...rest } = request;
    if (name === '' && request.prompt !== undefined && supportsPromptModelSelection) return rest;
    const own = name === '' ? rest : request;
    if (hasSettings) return own;
    const defaults = getDefaultModelSettings(name === '' ? undefined : name);
    return { ...own, modelSettings: merged(defaults, own.modelSettings) };
  }

  return {
    async getResponse(request) {
      const model = await find();
      return model.getResponse(asNamed(request, model));
    },
    async *getStreamedResponse(request) {
      const model = await find();
      yield* model.getStreamedResponse(asNamed(request, model));
    },
    getRetryAdvice: async (args) => (await find()).getRetryAdvice?.(args),
  };
}

type Settings = ModelRequest['modelSettings'];

/** Values that are set replace the defaults, also in a setting that has parts. */
function merged(defaults: Settings, set: Settings): Settings {
  const both: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries<unknown>(set as Record<string, unknown>)) {
    const preset = both[key];
    if (value !== undefined) both[key] = isRecord(preset) && isRecord(value) ? { ...preset, ...value } : value;
  }
  return both;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
