import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AnswerRecord } from './record.ts';

export type RunLog = {
  records: AnswerRecord[];
  /** What k6 itself had to say in between. */
  notes: string[];
};

export async function readRecords(file: string): Promise<RunLog> {
  const log: RunLog = { records: [], notes: [] };
  for await (const line of createInterface(createReadStream(file))) {
    if (line.startsWith('{"phase"')) log.records.push(JSON.parse(line) as AnswerRecord);
    else if (line.trim() !== '') log.notes.push(line);
  }
  return log;
}
