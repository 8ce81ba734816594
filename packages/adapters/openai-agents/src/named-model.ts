import { getDefaultModelSettings, type Model, type ModelProvider, type ModelRequest, Runner } from '@openai/agents';

export interface NamedModelOptions {
  /** Where the model is found; the default provider of the SDK if not given. */
  readonly provider: ModelProvider | undefined;
  /** Whether the agent has settings of its own for the model. If not, those that the SDK has for the name are added. */
  readonly hasSettings: boolean;
}

/**
 * The model of that name, looked up when it is first asked: a provider need not be there before. An agent that names its
 * model gets settings by the name from the SDK, and the model of a stored prompt where the name is empty. To the SDK ours
 * is a model without a name, so both are done here.
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

/** What is set goes before the defaults, in a setting that has parts as well. */
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
