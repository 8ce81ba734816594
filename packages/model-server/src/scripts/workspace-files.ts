/** The files that the scripts read and search, for the workspace of an agent under test. */
export const workspaceFiles: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n\nA small project: `main` adds two numbers.\n',
  'package.json': '{\n  "name": "sample",\n  "version": "1.0.0",\n  "type": "module"\n}\n',
  'src/index.js': 'export function main(a, b) {\n  return a + b;\n}\n',
};
