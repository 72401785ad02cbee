import { type Bars, drawBars } from './bars.ts';
import { type Curve, drawCurve } from './curve.ts';
import type { Palette } from './palette.ts';
import { drawSlope, type Slope } from './slope.ts';

/** What a picture shows. */
export type Content = ({ kind: 'curve' } & Curve) | ({ kind: 'bars' } & Bars) | ({ kind: 'slope' } & Slope);

/** The library of the pictures is loaded with this file, after the page is shown. */
export function draw(content: Content, width: number, palette: Palette): SVGElement {
  if (content.kind === 'curve') return drawCurve(content, width, palette);
  return content.kind === 'bars' ? drawBars(content, width, palette) : drawSlope(content, width, palette);
}
