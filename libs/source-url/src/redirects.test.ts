import { expect, test } from '@jest/globals';
import { resolveLink } from './redirects.ts';

const goto = 'https://www.google.com/goto?url=CAESZQHrOzAVzIGGR2SsfcBgzbxd9o0CXD63eopPTF3JI3j7N0i5WC_bjPMs';
const gemini = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQH';
const bing =
  'https://www.bing.com/ck/a?!&&p=4c109fcb6ef0&ptn=3&u=a1aHR0cHM6Ly9lbi53aWtpcGVkaWEub3JnL3dpa2kvU2hhd2FybWE&ntb=1';
const favicon =
  'https://encrypted-tbn1.gstatic.com/faviconV2?url=https://kime.ai&client=AIM&size=128&type=FAVICON';

test.each([
  ['https://kime.ai/tools', 'https://kime.ai/tools'],
  ['https://www.google.com/search?q=https://kime.ai', 'https://www.google.com/search?q=https://kime.ai'],
  ['https://www.google.com/url?q=https://kime.ai/x%3Fa%3D1&sa=U', 'https://kime.ai/x?a=1'],
  ['https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fkime.ai%2Fx', 'https://kime.ai/x'],
  ['https://www.google.com.au/url?q=https://www.google.com/url?q%3Dhttps://kime.ai/', 'https://kime.ai/'],
  ['https://translate.google.com/translate?hl=de&u=https://kime.ai/x', 'https://kime.ai/x'],
  [bing, 'https://en.wikipedia.org/wiki/Shawarma'],
  ['https://duckduckgo.com/l/?uddg=https%3A%2F%2Fkime.ai%2Fx&rut=1', 'https://kime.ai/x'],
  ['https://www.youtube.com/redirect?event=video&q=https%3A%2F%2Fkime.ai', 'https://kime.ai'],
  ['https://www.google.com/url?q=/search', null],
  ['https://www.google.com/url?q=https://%00', null],
  [`https://www.google.com/url?q=https://${'a.'.repeat(127)}com`, null],
  [goto, null],
  [gemini, null],
  ['no url', 'no url'],
])('%s leads to %s', (link, page) => {
  expect(resolveLink(link)).toBe(page);
});

test.each([
  ['a domain', goto, ['kime.ai'], 'https://kime.ai/'],
  ['a title, as of Gemini', gemini, [undefined, 'kime.ai'], 'https://kime.ai/'],
  ['an icon, as of SearchApi', goto, [favicon, undefined, 'KIME'], 'https://kime.ai/'],
  [
    'the old service of icons',
    goto,
    ['https://www.google.com/s2/favicons?domain=kime.ai'],
    'https://kime.ai/',
  ],
  ['a name that is a host', goto, [null, 'Business.com'], 'https://business.com/'],
  ['a name that is none', goto, ['KIME', 'Node.js'], null],
  ['an icon of the provider', goto, ['https://serpapi.com/searches/1/images/2.png'], null],
  ['the owner of the redirect', goto, ['www.google.com', 'google.co.uk'], null],
  ['a page of the same owner', goto, ['www.google.com', 'support.google.com'], 'https://support.google.com/'],
  [
    'a name beside an address',
    'https://www.google.com/url?q=https://kime.ai/x',
    ['medium.com'],
    'https://kime.ai/x',
  ],
  ['a name beside a page', 'https://kime.ai/x', ['medium.com'], 'https://kime.ai/x'],
])('by %s', (_by, link, names, page) => {
  expect(resolveLink(link, names)).toBe(page);
});
