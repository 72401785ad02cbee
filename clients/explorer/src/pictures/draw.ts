import { type Bars, drawBars } from './bars.ts';
import { type Curve, drawCurve } from './curve.ts';
import type { Palette } from './palette.ts';

/** What a picture shows. */
export type Content = ({ kind: 'curve' } & Curve) | ({ kind: 'bars' } & Bars);

/** The library of the pictures is loaded with this file, after the page is shown. */
export const draw = (content: Content, width: number, palette: Palette): SVGElement =>
  content.kind === 'curve' ? drawCurve(content, width, palette) : drawBars(content, width, palette);
