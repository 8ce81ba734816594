#!/usr/bin/env node
// Agents wait for `loopfuse hook` at every call: it is one file, and nothing else is loaded, not even what reads modules.
const [, , command, agent] = process.argv;
// Whatever the words after it are, unless somebody asks for help: agents take a code such as that of wrong usage for a refusal.
if (command === 'hook' && agent !== '--help' && agent !== '-h') {
  try {
    process.argv.splice(2, 1);
    require('@loopfuse/hooks/command');
  } catch {
    process.exitCode = 0; // whatever goes wrong, it must not look like a refusal
  }
} else import('../dist/main.js');
