import { runService } from '@bv/service';
import { createApp } from './app.ts';
import { readConfig, readJudgeConfig } from './config.ts';
import { runJudgeCommand } from './worker/judge-check.ts';

const [command, ...words] = process.argv.slice(2);
if (command === 'judge') process.exitCode = await runJudgeCommand(words, readJudgeConfig);
else await runService('scans', readConfig, createApp);
