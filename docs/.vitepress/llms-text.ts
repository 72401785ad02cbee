/** The index of the documentation for language models (llmstxt.org), served at /llms.txt. */
import { readGuides } from './menus.ts';

const intro = `# Brand Visibility Data API

> Measures how AI platforms mention a brand: mentions, scores, share of voice, sentiment and sources per market and day.

The base URL is this host with the path \`/v1\`. Every request needs a key: \`Authorization: Bearer <API_KEY>\`. Times and dates are UTC. Rates, scores and sentiments are 0 to 100; null means no data, 0 means measured and absent.`;

const documents = `## API

- [OpenAPI 3.1](/openapi.json): every operation, schema, error and webhook, with examples
- [OpenAPI 3.1 without webhooks](/openapi-clients.json): for generators of clients
- [OpenAPI 3.0.3](/openapi-3.0.json): the same for tools that cannot read 3.1
- [Reference](/docs/reference): the same as web pages`;

/** The first sentence below the title, without links, and the sections. */
function summarise(markdown: string): string {
  const sections = [...markdown.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  const [, paragraph = ''] = /^# .+\n+([^\n]+)/m.exec(markdown) ?? [];
  const text = paragraph.replaceAll(/\[([^\]]{1,100})\]\([^)]{1,200}\)/g, '$1');
  const sentence = /^.+?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
  return `${sentence.replace(/:$/, '.')}${sections.length === 0 ? '' : ` Sections: ${sections.join('; ')}`}`;
}

export function llmsText(): string {
  const guides = readGuides().map(
    ({ path, title, markdown }) => `- [${title}](/docs/${path}.md): ${summarise(markdown)}`,
  );
  return `${[intro, `## Guides\n\n${guides.join('\n')}`, documents].join('\n\n')}\n`;
}
