/** The frame of every page of the site: header, navigation, contents list. */
import { groupGuides } from './guide-groups.ts';
import { escapeHtml, type Heading } from './markdown.ts';

type Link = { name: string; title: string };
type Assets = { style: string; scripts: string[] };
type Page = { title: string; body: string; current: string | null; assets: Assets };

const product = 'Brand Visibility Data API';

function sidebar(guides: readonly Link[], current: string | null): string {
  const link = ({ name, title }: Link): string =>
    `<li><a href="/docs/guides/${name}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const groups = groupGuides(guides).map(
    ({ title, guides: links }) => `<p>${title}</p>\n<ul>${links.map(link).join('')}</ul>`,
  );
  return `<nav class="sidebar" aria-label="Guides">\n${groups.join('\n')}\n</nav>`;
}

/** Headings of the second and third level. A page with fewer than three needs no list. */
export function contentsList(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 3) return '';
  const items = shown.map(
    ({ id, title, level }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>${items.join('')}</ul>\n</nav>`;
}

function header(current: string | null): string {
  const onGuide = current !== null;
  return `<header>
<a class="product" href="/docs/guides/quick-start">${product}</a>
<a href="/docs/guides/quick-start"${onGuide ? ' class="current"' : ''}>Guides</a>
<a href="/docs"${onGuide ? '' : ' class="current" aria-current="page"'}>Reference</a>
<a href="/docs/guides/clients#description-of-the-api">OpenAPI</a>
<a href="/explore">Explorer</a>
<div class="search" role="search"><input type="search" id="search" placeholder="Search guides" aria-label="Search guides" autocomplete="off" aria-controls="found"><ol id="found" hidden></ol></div>
</header>`;
}

/** A whole page. `current` is the guide, or null for the reference, which has no sidebar. */
export function renderPage(guides: readonly Link[], { title, body, current, assets }: Page): string {
  const scripts = assets.scripts.map((url) => `<script src="${url}" defer></script>\n`).join('');
  const content =
    current === null ? body : `<div class="frame">\n${sidebar(guides, current)}\n${body}\n</div>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${product}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${header(current)}
${content}
${scripts}</body>
</html>
`;
}
