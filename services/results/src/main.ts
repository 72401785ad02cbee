import { runService } from '@bv/service';
import { startApp } from './app.ts';
import { readConfig } from './config.ts';

await runService('results', readConfig, startApp);
