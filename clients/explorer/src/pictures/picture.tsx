import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Content } from './draw.ts';
import { usePalette } from './palette.ts';
import { addTitle, save, toFileName, toPng, toSvg } from './save.ts';
import { type Table, toCsv } from './table.ts';

type Props = {
  /** Also the end of the names of saved files. */
  name: string;
  /** The picture in a sentence, for readers who do not see it. */
  label: string;
  content: Content;
  table: Table;
  /** How many answers, and which days. */
  caption: ComponentChildren;
  /** Versions of the method that read the answers, where they are those of the brand's newest day. */
  method?: string;
  /** Heading of the guide that explains the picture. */
  guide: string;
  children?: ComponentChildren;
};

/** What the pictures below are of, for their saved files: the brand and the choices of the page. */
export const PictureTitle = createContext('');

/** Pixels of the width of an element, as it changes. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

/** Plot sets links in this namespace. */
const xlink = 'http://www.w3.org/1999/xlink';

/** Links in a picture have to be reached, so such a picture is no single image. */
function describe(svg: SVGSVGElement, label: string): void {
  const links = svg.querySelectorAll('a');
  svg.setAttribute('role', links.length === 0 ? 'img' : 'group');
  // Plot names its groups of shapes, which have no role that may have a name.
  for (const group of svg.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  svg.setAttribute('aria-label', label);
  for (const link of links) {
    const address = link.getAttributeNS(xlink, 'href') ?? '';
    if (address.startsWith('/explore')) continue;
    // Addresses of cited pages come from the platforms.
    if (!/^https?:\/\//i.test(address)) link.removeAttributeNS(xlink, 'href');
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer nofollow');
  }
}

/** A picture with everything that makes it honest and usable: n, window, method, guide, numbers and files. */
export function Picture(props: Props) {
  const { name, label, content, table, caption, method, guide, children } = props;
  const { box, width } = useWidth();
  const palette = usePalette();
  const [isOpen, setOpen] = useState(false);
  const svg = useRef<SVGSVGElement>(undefined);
  useEffect(() => {
    if (width === 0) return undefined;
    let isCurrent = true;
    void import('./draw.ts').then(
      ({ draw }) => {
        if (!isCurrent) return;
        const drawn = draw(content, width, palette) as SVGSVGElement;
        describe(drawn, label);
        svg.current = drawn;
        box.current?.replaceChildren(drawn);
      },
      () => {
        // The scripts of an earlier release are gone after an upgrade.
        if (isCurrent) box.current?.replaceChildren('This picture cannot be drawn. Reload the page.');
      },
    );
    return () => {
      isCurrent = false;
    };
    // A section makes the same content again each time it is rendered.
  }, [JSON.stringify(content), width, palette, label]);
  const title = useContext(PictureTitle);
  const file = toFileName(`${title} ${name}`);
  const saveCsv = () => save(new Blob([toCsv(table)], { type: 'text/csv;charset=utf-8' }), `${file}.csv`);
  const savePicture = async (form: 'svg' | 'png') => {
    if (svg.current === undefined) return;
    const titled = addTitle(svg.current, palette, title);
    save(form === 'png' ? await toPng(titled) : toSvg(titled), `${file}.${form}`);
  };
  return (
    <figure data-picture={name}>
      <div class={`drawing ${content.kind}`} ref={box} />
      {children}
      <figcaption>
        {caption} {method === undefined ? null : `Method version ${method}. `}
        <a href={`/docs/guides/${guide}`}>How it is computed</a>
      </figcaption>
      <div class="files">
        {/* A table of every picture from the start would slow the page down. */}
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>Numbers</summary>
          {isOpen ? <Numbers table={table} label={label} /> : null}
        </details>
        <button type="button" onClick={saveCsv}>
          CSV
        </button>
        <button type="button" onClick={() => void savePicture('svg')}>
          SVG
        </button>
        <button type="button" onClick={() => void savePicture('png')}>
          PNG
        </button>
      </div>
    </figure>
  );
}

function Numbers({ table: { columns, rows }, label }: { table: Table; label: string }) {
  return (
    <div class="numbers" tabIndex={0} role="region" aria-label={`Numbers: ${label}`}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th scope="col" class={typeof rows[0]?.[index] === 'number' ? 'number' : ''}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td class={typeof cell === 'number' ? 'number' : ''}>
                  <bdi>{cell ?? ''}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
