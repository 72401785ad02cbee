import { join } from 'node:path';
import { readEnvironment } from './config.ts';
import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

// A reader such as `head` closes the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  terminal: processTerminal,
  environment: readEnvironment(),
  directory: join(import.meta.dirname, '../../..'),
});
