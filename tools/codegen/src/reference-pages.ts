/** The site of the gateway: the reference at /docs and the guides, from docs/guides/*.md. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { placeOf } from './site/guide-groups.ts';
import { contentsList, renderPage } from './site/layout.ts';
import { renderGuide, type RenderedGuide } from './site/markdown.ts';
import { searchIndex } from './site/search-index.ts';

const require = createRequire(import.meta.url);

export type Guide = { name: string; title: string; markdown: string };

/** The guides in order. Those in `generated`, by path, replace the files. */
export function readGuides(root: string, generated: ReadonlyMap<string, string>): Guide[] {
  const directory = join(root, 'docs/guides');
  const unwritten = [...generated.keys()].filter((path) => dirname(path) === 'docs/guides');
  const files = [...readdirSync(directory), ...unwritten.map((path) => basename(path))];
  const names = files.filter((file) => file.endsWith('.md')).map((file) => basename(file, '.md'));
  return [...new Set(names)]
    .toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .map((name) => {
      const written = generated.get(`docs/guides/${name}.md`);
      const markdown = written ?? readFileSync(join(directory, `${name}.md`), 'utf8');
      return { name, markdown, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name };
    });
}

/** Address of an asset with a hash of its content, because browsers cache assets for a year. */
const addressOf = (name: string, content: string | Buffer): string =>
  `/docs/assets/${name}?v=${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;

/** Scripts that the gateway serves from their packages. */
const packagedScripts: Record<string, string> = {
  'scalar.js': join(dirname(require.resolve('@scalar/api-reference/style.css')), 'browser/standalone.js'),
  'minisearch.js': join(dirname(require.resolve('minisearch')), '../umd/index.js'),
};

/** Gives each row the id of its code, to which `error.doc_url` leads. */
const withRowIds = ({ html, headings }: RenderedGuide): RenderedGuide => ({
  html: html.replaceAll(/<tr>(?=\s*<td><code>(\w+)<\/code>)/g, '<tr id="$1">'),
  headings,
});

/** The pages and their generated assets by path. `generated` has files that are not written yet, by path. */
export function referencePages(root: string, generated: ReadonlyMap<string, string>): Map<string, string> {
  const guides = readGuides(root, generated).map((guide) => {
    const rendered = renderGuide(guide.markdown);
    return { ...guide, rendered: guide.name === 'error-codes' ? withRowIds(rendered) : rendered };
  });
  const index = `globalThis.searchIndex = ${JSON.stringify(searchIndex(guides))};\n`;
  const assetAddress = (name: string): string =>
    addressOf(name, readFileSync(packagedScripts[name] ?? join(root, 'docs/assets', name)));
  const style = assetAddress('pages.css');
  const search = [
    assetAddress('minisearch.js'),
    addressOf('search-index.js', index),
    assetAddress('guides.js'),
  ];
  const scalar = ['scalar.js', 'reference.js'].map(assetAddress);
  const files = new Map([['docs/assets/search-index.js', index]]);
  const reference = {
    title: 'Reference',
    body: '<main id="main"><div id="reference"></div></main>',
    current: null,
    assets: { style, scripts: [...scalar, ...search] },
  };
  files.set('docs/api.html', renderPage(guides, reference));
  for (const { name, title, rendered } of guides) {
    const html = rendered.html.replaceAll(
      /src="\.\.\/assets\/([^"]+)"/g,
      (_match, asset: string) => `src="${assetAddress(asset)}"`,
    );
    const body = `<main class="guide" id="main">\n${html}</main>\n${contentsList(rendered.headings)}`;
    const page = { title, body, current: name, assets: { style, scripts: search } };
    files.set(`docs/guides/${name}.html`, renderPage(guides, page));
  }
  return files;
}
