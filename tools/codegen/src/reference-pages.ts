/** The pages of the gateway: the reference at /docs and the guides, from docs/guides/*.md. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Marked } from 'marked';

const order = [
  'quick-start',
  'concepts',
  'methodology',
  'sentiment',
  'brand-names',
  'authentication-and-limits',
  'limits',
  'pagination',
  'idempotency',
  'errors',
  'error-codes',
  'webhooks',
  'webhook-events',
  'clients',
  'mcp',
  'warehouse',
  'versioning',
];

type Guide = { name: string; title: string; markdown: string };

/** Guides that are not in `order` come last. */
const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

/** The guides in `directory`. Those in `generated`, by path, replace the files. */
export function readGuides(directory: string, generated: ReadonlyMap<string, string>): Guide[] {
  const unwritten = [...generated.keys()].filter((path) => dirname(path) === 'docs/guides');
  const files = [...readdirSync(directory), ...unwritten.map((path) => basename(path))];
  const names = files.filter((file) => file.endsWith('.md')).map((file) => basename(file, '.md'));
  return [...new Set(names)]
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((name) => {
      const written = generated.get(`docs/guides/${name}.md`);
      const markdown = written ?? readFileSync(join(directory, `${name}.md`), 'utf8');
      return { name, markdown, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name };
    });
}

/** A link to the file of a guide works in the repository. On the site the pages have other addresses. */
const markdownParser = new Marked({
  walkTokens: (token) => {
    if (token.type !== 'link') return;
    token.href = (token.href as string).replace(/^([a-z-]+)\.md(?=#|$)/, '/docs/guides/$1');
  },
});

/** Hash of an asset for its URL, because browsers cache assets for a year. */
const versioned = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function page(title: string, parts: { nav: string; body: string; style: string; scripts?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Brand Visibility Data API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/pages.css?v=${parts.style}">
</head>
<body>
${parts.nav}
${parts.body}
${parts.scripts ?? ''}</body>
</html>
`;
}

/** The pages by path. `generated` has files that are not written yet, by path. */
export function referencePages(root: string, generated: ReadonlyMap<string, string>): Map<string, string> {
  const docs = join(root, 'docs');
  const guides = readGuides(join(docs, 'guides'), generated);
  const require = createRequire(import.meta.url);
  const bundle = require.resolve('@scalar/api-reference/style.css');
  const versions = {
    style: versioned(join(docs, 'assets/pages.css')),
    start: versioned(join(docs, 'assets/reference.js')),
    scalar: versioned(join(dirname(bundle), 'browser/standalone.js')),
  };
  const links = guides.map(({ name, title }) => `<a href="/docs/guides/${name}">${escape(title)}</a>`);
  const nav = `<nav><a href="/docs">Reference</a>${links.join('')}<a href="/openapi.json">OpenAPI</a></nav>`;
  const scripts = `<script src="/docs/assets/scalar.js?v=${versions.scalar}"></script>
<script src="/docs/assets/reference.js?v=${versions.start}"></script>
`;
  const { style } = versions;
  const files = new Map([
    ['docs/api.html', page('Reference', { nav, style, scripts, body: '<div id="reference"></div>' })],
  ]);
  for (const { name, title, markdown } of guides) {
    const body = `<main class="guide">\n${markdownParser.parse(markdown, { async: false })}</main>`;
    files.set(`docs/guides/${name}.html`, page(title, { nav, style, body }));
  }
  return files;
}
