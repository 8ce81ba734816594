import { basename, relative } from 'node:path';

/** The command with which this program was started, as the user would type it again. */
export function ownCommand(script: string, env: NodeJS.ProcessEnv): string {
  if (env.npm_lifecycle_event === 'start' || env.npm_lifecycle_event === 'loopfuse') return 'npm run loopfuse --';
  if (env.npm_command === 'exec') return 'npx loopfuse';
  return basename(script) === 'loopfuse.js' ? `node ${relative(process.cwd(), script)}` : 'loopfuse';
}
