import { run } from './program.ts';

// A reader such as `head` closes the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
