/** Markdown of a guide to HTML: ids of headings, highlighted code, links between guides. */
import hljs from 'highlight.js/lib/common';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { markedHighlight } from 'marked-highlight';

export type Heading = { id: string; title: string; level: number };
export type RenderedGuide = { html: string; headings: Heading[] };

/** A link to the file of a guide works in the repository. On the site the pages have other addresses. */
const toPageAddress = (href: string): string => href.replace(/^([a-z-]+)\.md(?=#|$)/, '/docs/guides/$1');

const highlight = markedHighlight({
  langPrefix: 'language-',
  highlight: (code, language) =>
    hljs.getLanguage(language) === undefined ? escapeHtml(code) : hljs.highlight(code, { language }).value,
});

const parser = new Marked(highlight, gfmHeadingId(), {
  walkTokens: (token) => {
    if (token.type === 'link') token.href = toPageAddress(token.href as string);
  },
});

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function renderGuide(markdown: string): RenderedGuide {
  const html = parser.parse(markdown, { async: false });
  const headings = getHeadingList().map(({ id, raw, level }) => ({ id, title: raw, level }));
  return {
    html: html
      .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>'),
    headings,
  };
}

/** Text of HTML, for the search. */
export const toPlainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
