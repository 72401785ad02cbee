import { setFlagsFromString } from 'node:v8';
import { runService } from '@bv/service';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

// A young collection of the gateway has little to copy. What V8's helper threads save of it they take, where there are
// few processors, from the thread that waits for them and from the stores (docs/performance.md).
setFlagsFromString('--no-parallel-scavenge');
// V8 took what zod makes for each request for long-lived and allocated it among the old objects, where it kept alive
// what young collections then copied (docs/performance.md).
setFlagsFromString('--no-allocation-site-pretenuring');

await runService('gateway', readConfig, createApp);
