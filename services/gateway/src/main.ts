import { setFlagsFromString } from 'node:v8';
import { runService } from '@bv/service';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

// Parallel scavenging helps little: a young collection of the gateway copies few objects. On machines with few processors
// its threads compete with the event loop and the stores for CPU (docs/adr/0006-v8-and-node-settings.md).
setFlagsFromString('--no-parallel-scavenge');
// V8 would treat objects that zod creates for each request as long-lived and allocate them in the old generation. There
// they keep young objects alive, which every young collection then copies (ADR 6, too).
setFlagsFromString('--no-allocation-site-pretenuring');

await runService('gateway', readConfig, createApp);
