/** The sections of the guides, for the search of the site. */
import { type RenderedGuide, toPlainText } from './markdown.ts';

type Section = { id: string; title: string; guide: string; text: string };

/** One entry for each section with a heading. `id` is its address. */
export function searchIndex(
  guides: readonly { name: string; title: string; rendered: RenderedGuide }[],
): Section[] {
  return guides.flatMap(({ name, title: guide, rendered }) => {
    const parts = rendered.html.split(/(?=<h[1-3] id=")/);
    return parts.flatMap((part): Section[] => {
      const [, level, anchor = '', heading = ''] = /^<h([1-3]) id="([^"]*)">(.*?)<\/h\1>/s.exec(part) ?? [];
      if (level === undefined) return [];
      const path = `/docs/guides/${name}`;
      const text = toPlainText(part.replace(/^<h.*?<\/h\d>/s, ''));
      return [{ id: level === '1' ? path : `${path}#${anchor}`, title: toPlainText(heading), guide, text }];
    });
  });
}
