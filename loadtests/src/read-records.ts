import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ResponseRecord } from './record.ts';

export type RunLog = {
  records: ResponseRecord[];
  /** Lines that k6 itself logged. */
  notes: string[];
};

export async function readRecords(file: string): Promise<RunLog> {
  const log: RunLog = { records: [], notes: [] };
  for await (const line of createInterface(createReadStream(file))) {
    if (line.startsWith('{"phase"')) log.records.push(JSON.parse(line) as ResponseRecord);
    else if (line.trim() !== '') log.notes.push(line);
  }
  return log;
}
