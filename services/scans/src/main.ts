import { runService } from '@bv/service';
import { createApp } from './app.ts';
import { readConfig, readJudgeConfig, readPlatformCheckConfig } from './config.ts';
import { runPlatformsCommand } from './platforms/platform-check.ts';
import { runJudgeCommand } from './worker/judge-check.ts';

const [command, ...words] = process.argv.slice(2);
if (command === 'judge') process.exitCode = await runJudgeCommand(words, readJudgeConfig);
else if (command === 'platforms')
  process.exitCode = await runPlatformsCommand(words, readPlatformCheckConfig);
else await runService('scans', readConfig, createApp);
