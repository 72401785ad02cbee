import { runService } from '@bv/service';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runService('results', readConfig, createApp);
