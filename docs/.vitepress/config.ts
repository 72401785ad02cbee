import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { navigation, sidebar } from './menus.ts';
import { withSynonyms } from './synonyms.ts';

const docs = join(import.meta.dirname, '..');
const isForOperators = process.env['SITE'] === 'operator';
const outDir = join(docs, 'dist', isForOperators ? 'operator' : 'public');

const operatorPages = ['adr/**', 'operations/**', '!(index|changelog|reference).md'];

/** The anchors of headings are those of GitHub, so that a link works in both. */
const slugify = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** Moves inline scripts into files, because the policy of the gateway runs no others. */
const extractScripts = (html: string): string =>
  html.replaceAll(/<script id="[^"]*">([^]*?)<\/script>/g, (_all, script: string) => {
    const name = `assets/inline.${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
    mkdirSync(join(outDir, 'assets'), { recursive: true });
    writeFileSync(join(outDir, name), script);
    return `<script src="/docs/${name}"></script>`;
  });

export default defineConfig({
  outDir,
  base: '/docs/',
  title: 'Brand Visibility Data API',
  cleanUrls: true,
  metaChunk: true,
  // Contributors read these in the repository.
  srcExclude: ['releases/**', 'architecture.md', 'data-model.md', ...(isForOperators ? [] : operatorPages)],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config: (md) => {
      md.core.ruler.after('normalize', 'links to files of the repository', (state) => {
        // Titles and cells have no page.
        const depth = (state.env.relativePath ?? '').split('/').length;
        const above = '\\.\\./'.repeat(depth);
        state.src = state.src
          .replaceAll('](/docs/', '](/')
          .replaceAll(new RegExp(`\\[([^\\]]+)\\]\\(${above}[^)]+\\)`, 'g'), '$1');
      });
    },
  },
  vite: {
    define: { 'import.meta.env.VITE_OPERATOR': JSON.stringify(isForOperators) },
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 },
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    if (!isForOperators || relativePath !== 'index.md') return;
    const [, look, operate] = frontmatter['features'] as { link?: string; details: string }[];
    // The explorer is on the listener of partners.
    delete look?.link;
    Object.assign(operate ?? {}, {
      link: '/operations',
      details: 'Install, monitor and upgrade the service.',
    });
  },
  transformHtml: extractScripts,
  themeConfig: {
    nav: navigation(isForOperators),
    sidebar: sidebar(isForOperators),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (source, env, md) => {
          // The index needs no coloured code, which would take a third of the build.
          md.options.highlight = null;
          return withSynonyms(md.render(source, env));
        },
      },
    },
  },
});
