import { eld } from 'eld/extrasmall';

const sampleLength = 4000;

/** ISO 639-1 code of the text's language; `en` if it cannot be detected. */
export function detectLanguage(text: string): string {
  return eld.detect(text.slice(0, sampleLength)).language || 'en';
}
