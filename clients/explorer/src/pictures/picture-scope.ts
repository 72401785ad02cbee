import { createContext } from 'preact';

/** What a picture is of, for its saved files: the brand and the choices of the page. */
export const PictureScope = createContext('');

/** A name of a file: letters and digits of any language. */
export const toFileName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
