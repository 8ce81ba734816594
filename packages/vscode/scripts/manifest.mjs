/**
 * Writes the settings of the extension into its manifest: those of a settings file, by the schema of the agent, and those that only
 * the editor has. With `--check` it writes nothing and fails if the manifest does not match.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const manifestFile = new URL('../package.json', import.meta.url);
const schemaFile = new URL('../../agent/schema/settings.schema.json', import.meta.url);

const order = [
  ...['provider', 'model', 'baseURL', 'apiKeyEnv', 'approval', 'preset', 'policy', 'disable', 'recovery', 'detectors'],
  ...['rewinds', 'escalate'],
  ...[
    'tools',
    'judge',
    'reasoning',
    'promptCaching',
    'maxTurns',
    'contextTokens',
    'maxOutputTokens',
    'shellTimeoutSeconds',
  ],
];

/**
 * The settings that decide where keys go and what runs without approval. Only the user's own settings count for these: a
 * workspace's file comes with the workspace, and the agent itself could write it.
 */
const userOnly = new Set(['provider', 'baseURL', 'apiKeyEnv', 'approval', 'judge', 'escalate']);

/** A setting that is not set in the editor is left to the settings files, so the defaults here mean "not set". */
function settingOf(schema, name) {
  const { description = '', maximum, ...rest } = schema;
  const scope = userOnly.has(name) ? 'machine' : 'resource';
  const described = { order: order.indexOf(name), scope, markdownDescription: description };
  if (schema.enum)
    return {
      ...described,
      type: ['string', 'null'],
      enum: [null, ...schema.enum],
      default: null,
      enumItemLabels: ['as the settings files say', ...schema.enum],
    };
  switch (schema.type) {
    case 'integer':
    case 'number':
      return {
        ...described,
        ...rest,
        ...(maximum < Number.MAX_SAFE_INTEGER ? { maximum } : {}),
        type: [schema.type, 'null'],
        default: null,
      };
    case 'string':
      return { ...described, type: 'string', default: '' };
    case 'boolean':
      return { ...described, type: 'boolean', default: false };
    case 'object':
      return { ...described, ...withoutHuge(rest), default: {} };
    default:
      throw new TypeError(
        `the setting ${name} is of type ${JSON.stringify(schema.type)}, which this script cannot convert yet`,
      );
  }
}

/** Leaves out maxima that are only the largest integer. */
function withoutHuge(value) {
  if (Array.isArray(value)) return value.map(withoutHuge);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key === 'maximum' && one >= Number.MAX_SAFE_INTEGER ? [] : [[key, withoutHuge(one)]],
    ),
  );
}

const dollars = { type: 'number', minimum: 0 };
const prices = {
  order: order.length,
  scope: 'resource',
  markdownDescription:
    'Prices of models, by name, in dollars per million tokens. They override the price list that comes with the extension.',
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: {
      input: { ...dollars, description: 'Input tokens.' },
      output: { ...dollars, description: 'Output tokens.' },
      cached: { ...dollars, description: 'Input tokens that the provider had cached.' },
    },
    required: ['input', 'output'],
    additionalProperties: false,
  },
  default: {},
};

const { properties } = JSON.parse(readFileSync(schemaFile, 'utf8'));
const names = Object.keys(properties).filter((name) => name !== '$schema');
const unplaced = names.filter((name) => !order.includes(name));
if (unplaced.length > 0) throw new TypeError(`add ${unplaced.join(', ')} to "order" in scripts/manifest.mjs`);
const settings = { ...Object.fromEntries(order.map((name) => [name, settingOf(properties[name], name)])), prices };

const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const next = structuredClone(manifest);
next.contributes.configuration = {
  title: 'Loopfuse',
  properties: Object.fromEntries(Object.entries(settings).map(([name, setting]) => [`loopfuse.${name}`, setting])),
};
// All of them: each can redirect, loosen or switch off something.
next.capabilities.untrustedWorkspaces.restrictedConfigurations = Object.keys(next.contributes.configuration.properties);

if (!process.argv.includes('--check')) writeFileSync(manifestFile, `${JSON.stringify(next, null, 2)}\n`);
else if (!isDeepStrictEqual(manifest, next)) {
  console.error('The settings in package.json are not those of the schema: run "npm run manifest -w packages/vscode".');
  process.exitCode = 1;
}
