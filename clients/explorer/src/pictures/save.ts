import type { Palette } from './palette.ts';

/** Pixels of a saved PNG for each pixel of the page. */
const scale = 2;
/** Of the line above a saved picture. */
const titleHeight = 28;

export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name of a file: letters and digits of any language. */
export const toFileName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const namespace = 'http://www.w3.org/2000/svg';

function createShape(name: 'rect' | 'text', attributes: Record<string, string | number>): SVGElement {
  const shape = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, String(value));
  return shape;
}

/** A copy of a picture on paper, below a line that says what it is of. */
export function addTitle(svg: SVGSVGElement, { paper, ink }: Palette, title: string): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width } = svg.viewBox.baseVal;
  const [y, height] = [-titleHeight, svg.viewBox.baseVal.height + titleHeight];
  copy.setAttribute('viewBox', `0 ${y} ${width} ${height}`);
  copy.setAttribute('height', String(height));
  const style = { fill: ink, 'font-size': 13, 'font-weight': 600, 'text-anchor': 'start' };
  const text = createShape('text', { x: 8, y: y + 18, ...style });
  text.textContent = title;
  copy.prepend(createShape('rect', { y, width, height, fill: paper }), text);
  return copy;
}

function toText(svg: SVGSVGElement): string {
  svg.setAttribute('xmlns', namespace);
  return new XMLSerializer().serializeToString(svg);
}

export const toSvg = (svg: SVGSVGElement): Blob => new Blob([toText(svg)], { type: 'image/svg+xml' });

/** Draws an SVG on a canvas. */
export async function toPng(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(toText(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png');
  });
}
