import { join } from 'node:path';
import { readEnvironment } from './config.ts';
import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

// A reader that has seen enough (`| head`) closes the pipe: not an error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  terminal: processTerminal,
  environment: readEnvironment(),
  directory: join(import.meta.dirname, '../../..'),
});
