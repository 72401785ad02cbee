import { runService } from '@bv/service';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runService('scans', readConfig, createApp);
