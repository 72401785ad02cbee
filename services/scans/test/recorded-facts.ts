import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A person's notes about one recorded answer. */
export type Facts = {
  name: string;
  model: string | null;
  /** Length of the text in code points, null without a text. */
  length: number | null;
  /** Names in the order of their first occurrence in the prose. */
  names: string[];
  citedUrls: string[];
  queries: string[];
  isError: boolean;
};

/** Parses the facts file: a section for each answer, headed by its path. */
export function readFacts(folder: string): Facts[] {
  const text = readFileSync(path.join(folder, 'FACTS.md'), 'utf8');
  const sections = text.split(/^### (?=(?:chatgpt|claude|gemini|perplexity|ai_overviews)\/)/m).slice(1);
  return sections.map(parseSection);
}

function parseSection(section: string): Facts {
  const name = section.slice(0, section.indexOf('\n')).trim();
  const length = /^- answer: (\d+) code points/m.exec(section)?.[1];
  return {
    name,
    model: /^- model ([^,\s]+)/m.exec(section)?.[1] ?? null,
    length: length === undefined ? null : Number(length),
    names: parseNames(section),
    citedUrls: parseCited(section),
    queries: parseQueries(section),
    isError: section.includes('- error body:'),
  };
}

function parseNames(section: string): string[] {
  // If source chips come first in the raw text, a note states the order in the prose.
  const prose = /in the prose proper the order is (.+?)\. (?:No|Has)/.exec(section)?.[1];
  if (prose !== undefined) return prose.split(', ');
  const line = /^- names: (.+)$/m.exec(section)?.[1] ?? '';
  const names = Array.from(line.matchAll(/(.+?) @\d+(?:, |$)/g), (match) => match[1] ?? '');
  const seen = new Set<string>();
  return names.filter((each) => !seen.has(each.toLowerCase()) && seen.add(each.toLowerCase()));
}

function parseCited(section: string): string[] {
  const block = /^- cited \(.*\):\n((?: {2}- .*\n)*)/m.exec(section)?.[1] ?? '';
  return block
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, title, uri] = /title='(.*)' domain=.* uri=(.+)$/.exec(line) ?? [];
      if (uri !== undefined) return uri.includes('/grounding-api-redirect/') ? `https://${title}/` : uri;
      return /https?:\/\/\S+/.exec(line)?.[0] ?? '';
    });
}

function parseQueries(section: string): string[] {
  const calls = /search calls \d+: (\[.*\])$/m.exec(section)?.[1];
  const lists = /(?:queries|webSearchQueries) (\[.*\])$/m.exec(section)?.[1];
  if (calls !== undefined) {
    return Array.from(calls.matchAll(/\('search', \[?'([^']*)'/g), (match) => match[1] ?? '');
  }
  return Array.from((lists ?? '').matchAll(/'([^']*)'/g), (match) => match[1] ?? '');
}
