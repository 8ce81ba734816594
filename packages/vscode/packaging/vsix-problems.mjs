/** What is wrong with the contents of a packed extension, in words; empty when nothing is. */
export function vsixProblems({ entries, bytes, manifest, bundled = [], notices = '', limit = 3_000_000 }) {
  const names = new Set(entries.map(({ name }) => name));
  const ours = [...names].filter((name) => name.startsWith('extension/'));
  const problems = unwanted.flatMap(({ what, is }) => ours.filter(is).map((name) => `${name} is ${what}`));
  for (const { what, path } of wanted(manifest)) {
    if (path === undefined) problems.push(`the manifest names no ${what}`);
    else if (![...names].some((name) => name.toLowerCase() === `extension/${path}`.toLowerCase()))
      problems.push(`the ${what} is missing: ${path}`);
  }
  for (const { name, version } of bundled)
    if (!notices.includes(`${name} ${version}\n`)) problems.push(`the notices do not name ${name} ${version}`);
  if (bytes >= limit) problems.push(`it has ${bytes} bytes, and ${limit} are the limit`);
  return problems;
}

const unwanted = [
  { what: 'a source', is: (name) => /\.[cm]?tsx?$/.test(name) },
  { what: 'a source map', is: (name) => name.endsWith('.map') },
  { what: 'a dependency that should have been bundled', is: (name) => name.includes('/node_modules/') },
  { what: 'a test', is: (name) => /\.test\.|\/e2e\/|\/fixtures\//.test(name) },
];

function wanted({ main, icon, contributes = {} }) {
  const files = [
    { what: 'manifest', path: 'package.json' },
    { what: 'readme', path: 'readme.md' },
    { what: 'changelog', path: 'changelog.md' },
    { what: 'licence', path: 'LICENSE.txt' },
    { what: 'list of third-party notices', path: 'ThirdPartyNotices.txt' },
    { what: 'extension', path: main },
    { what: 'icon', path: icon },
    ...(contributes.viewsContainers?.activitybar ?? []).map(({ icon }) => ({ what: 'icon of the view', path: icon })),
    ...(contributes.walkthroughs ?? [])
      .flatMap(({ steps }) => steps)
      .map(({ media: { markdown, svg, image } }) => ({
        what: 'picture of a walkthrough',
        path: markdown ?? svg ?? image,
      })),
  ];
  return files.map(({ what, path }) => ({ what, path: path?.replace(/^\.\//, '') }));
}
