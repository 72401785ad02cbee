import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDataForSeo } from '../src/platforms/ai-overviews-dataforseo.ts';
import { parseSerpApi } from '../src/platforms/ai-overviews-serpapi.ts';
import { parseChatgpt } from '../src/platforms/chatgpt.ts';
import { parseClaude } from '../src/platforms/claude.ts';
import { parseGemini } from '../src/platforms/gemini.ts';
import { parsePerplexity } from '../src/platforms/perplexity.ts';
import type { ParsedAnswer } from '../src/platforms/platform.ts';

// Answers of the real services, recorded by other projects. They are not part of this repository.
const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));
export const recordedFolder = path.resolve(repositoryRoot, '../shared/fixtures/platforms');
export const hasRecordedBodies = existsSync(path.join(recordedFolder, 'FACTS.md'));

export function isRecorded(name: string): boolean {
  return existsSync(toPath(name));
}

export function readBody(name: string): unknown {
  return JSON.parse(readFileSync(toPath(name), 'utf8'));
}

/** The answer in a recorded body. The folder of the body names its platform. */
export function readAnswer(name: string): ParsedAnswer {
  const body = readBody(name);
  if (name.startsWith('chatgpt/')) return parseChatgpt(body);
  if (name.startsWith('perplexity/')) return parsePerplexity(body);
  if (name.startsWith('gemini/')) return parseGemini(body);
  if (name.startsWith('claude/')) return parseClaude([body]);
  return name.includes('dataforseo') ? parseDataForSeo(body) : parseSerpApi(body);
}

function toPath(name: string): string {
  return path.join(recordedFolder, `${name}.json`);
}
