import { readJsonFile, writeJsonFile, type DataDir } from '../data-dir.ts';

/** What the demo has made so far, kept after each step: keys and secrets are shown only once. */
type DemoState = {
  orgId?: string;
  apiKey?: string;
  partnerId?: string;
  partnerKey?: string;
  endpointId?: string;
  endpointSecret?: string;
};

export type DemoMemory = { state: DemoState; remember(changes: DemoState): void; forget(): void };

export function openDemoMemory({ demoFile }: DataDir): DemoMemory {
  const memory: DemoMemory = {
    state: readJsonFile<DemoState>(demoFile) ?? {},
    remember: (changes) => {
      memory.state = { ...memory.state, ...changes };
      writeJsonFile(demoFile, memory.state);
    },
    forget: () => {
      memory.state = {};
      writeJsonFile(demoFile, memory.state);
    },
  };
  return memory;
}
