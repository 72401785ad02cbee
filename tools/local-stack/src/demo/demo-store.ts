import { readJsonFile, writeJsonFile, type DataDir } from '../data-dir.ts';

/** What the demo has created, stored after each step: the API returns keys and secrets only once. */
type DemoState = {
  orgId?: string;
  apiKey?: string;
  partnerId?: string;
  partnerKey?: string;
  endpointId?: string;
  endpointSecret?: string;
};

export type DemoStore = { state: DemoState; update(changes: DemoState): void; clear(): void };

export function openDemoStore({ demoFile }: DataDir): DemoStore {
  const store: DemoStore = {
    state: readJsonFile<DemoState>(demoFile) ?? {},
    update: (changes) => {
      store.state = { ...store.state, ...changes };
      writeJsonFile(demoFile, store.state);
    },
    clear: () => {
      store.state = {};
      writeJsonFile(demoFile, store.state);
    },
  };
  return store;
}
