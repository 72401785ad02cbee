import { setFlagsFromString } from 'node:v8';
import { runService } from '@bv/service';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

// A young collection of the gateway has little to copy. V8's helper threads take longer to wake than they help, and
// where there are few processors they take the one of the thread that waits for them, or of the stores.
setFlagsFromString('--no-parallel-scavenge');

await runService('gateway', readConfig(), createApp);
