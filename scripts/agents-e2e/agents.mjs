/**
 * The agents that are run for real, at the versions this was tried with. `name` is what sessions of theirs are called by
 * `loopfuse scan`. `run` says how one request is worked on without a person: words after the command, and environment;
 * `prepare` gives the settings files that it needs in the home folder, JSON or text, `before` a command that must have run first.
 * Keys are dummies; reports of use and looks for updates are off. All of them run on Node 24.
 */
export const agents = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.325',
    command: 'claude',
    run: ({ prompt, url }) => ({
      args: ['-p', prompt, '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'no-key',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        IS_SANDBOX: '1', // or it refuses to skip permissions for root
      },
    }),
  },
  {
    name: 'codex',
    package: '@openai/codex@0.166.0',
    command: 'codex',
    run: ({ prompt, url }) => ({
      args: [
        ...['exec', '--skip-git-repo-check', '--json', '--dangerously-bypass-approvals-and-sandbox'],
        ...['-c', 'check_for_update_on_startup=false', '-c', 'model_provider=scripted', '-m', 'scripted-model'],
        ...['-c', `model_providers.scripted={name="scripted",base_url="${url}/v1",env_key="KEY",wire_api="responses"}`],
        prompt,
      ],
      env: { KEY: 'no-key' },
    }),
  },
  {
    name: 'gemini-cli',
    package: '@google/gemini-cli@0.61.0',
    command: 'gemini',
    prepare: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
      },
    }),
    run: ({ prompt, url }) => ({
      args: ['-p', prompt, '--yolo', '--skip-trust', '-m', 'gemini-2.5-pro', '--output-format', 'stream-json'],
      env: { GEMINI_API_KEY: 'no-key', GOOGLE_GEMINI_BASE_URL: url },
    }),
  },
  {
    name: 'qwen-code',
    package: '@qwen-code/qwen-code@0.24.4',
    command: 'qwen',
    prepare: () => ({
      '.qwen/settings.json': {
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      },
    }),
    run: ({ prompt, url }) => ({
      args: ['-p', prompt, '--yolo', '--auth-type', 'openai', '--output-format', 'stream-json'],
      env: { OPENAI_API_KEY: 'no-key', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted-model' },
    }),
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    command: 'opencode',
    run: ({ prompt, url }) => ({
      args: ['run', prompt, '--format', 'json'],
      env: {
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          model: 'scripted/scripted-model',
          small_model: 'scripted/scripted-model',
          autoupdate: false,
          permission: { '*': 'allow' },
          provider: {
            scripted: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${url}/v1`, apiKey: 'no-key' },
              models: { 'scripted-model': { tool_call: true, limit: { context: 100_000, output: 4096 } } },
            },
          },
        }),
      },
    }),
  },
  {
    name: 'copilot-cli',
    package: '@github/copilot@1.0.102',
    command: 'copilot',
    run: ({ prompt, url }) => ({
      args: ['-p', prompt, '--allow-all-tools', '--output-format', 'json'],
      env: {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'no-key',
        COPILOT_MODEL: 'scripted-model',
      },
    }),
  },
  {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent@0.73.1',
    command: 'pi',
    prepare: ({ url }) => ({
      '.pi/agent/models.json': {
        providers: {
          scripted: {
            ...{ baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'no-key' },
            models: [
              {
                ...{ id: 'scripted-model', name: 'scripted', reasoning: false, input: ['text'] },
                ...{ contextWindow: 100_000, maxTokens: 4096 },
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      },
    }),
    run: ({ prompt }) => ({
      args: ['-p', '--mode', 'json', '--provider', 'scripted', '--model', 'scripted-model', prompt],
      env: { PI_SKIP_VERSION_CHECK: '1', PI_OFFLINE: '1', PI_TELEMETRY: '0' },
    }),
  },
  {
    name: 'cline',
    package: 'cline@3.0.65',
    command: 'cline',
    before: ({ url }) => ({
      args: ['auth', '-p', 'openai-compatible', '-k', 'no-key', '-m', 'scripted-model', '-b', `${url}/v1`],
      env: {},
    }),
    run: ({ prompt }) => ({ args: ['--json', '-P', 'openai-compatible', '-m', 'scripted-model', prompt], env: {} }),
  },
  {
    name: 'kimi',
    package: '@moonshot-ai/kimi-code@2.1.0',
    command: 'kimi',
    prepare: ({ url }) => ({
      '.kimi-code/config.toml': [
        ...['default_model = "scripted"', 'telemetry = false'],
        ...['[providers.scripted]', 'type = "openai"', `base_url = "${url}/v1"`, 'api_key = "no-key"'],
        ...['[models.scripted]', 'provider = "scripted"', 'model = "scripted-model"', 'max_context_size = 100000'],
        'capabilities = ["tool_use"]',
      ].join('\n'),
    }),
    run: ({ prompt }) => ({
      args: ['-p', prompt, '--output-format', 'stream-json'],
      env: { KIMI_CODE_NO_AUTO_UPDATE: '1' },
    }),
  },
  {
    name: 'loopfuse',
    // Our own, from this checkout; told to the model only, so that it goes on as the others do.
    run: ({ prompt, url }) => ({
      args: [
        ...['chat', '-p', prompt, '--provider', 'openai-compatible', '--base-url', `${url}/v1`],
        ...['-m', 'scripted-model', '--approval', 'yolo', '--policy', 'shadow', '--output-format', 'stream-json'],
      ],
      env: {},
    }),
  },
];
