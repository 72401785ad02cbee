import { isIP } from 'node:net';
import { type AddressPolicy, isAddressAllowed } from './address.ts';

export type UrlPolicy = { addresses: AddressPolicy; allowHttp: boolean };

export type Target = {
  url: URL;
  /** Without brackets. */
  hostname: string;
  port: number;
  /** Set when the host is an address. Then no name is resolved. */
  address: string | null;
};

export type ParsedTarget = { ok: true; target: Target } | { ok: false; code: UrlErrorCode; message: string };
type UrlErrorCode = 'invalid_format' | 'url_not_public';

const maxUrlLength = 2048;

/** Zones outside the public internet: special-use domains (such as RFC 6761) and common internal zones. */
const internalZones = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'arpa',
  'test',
  'example',
  'invalid',
  'onion',
  'alt',
];

const reject = (message: string, code: UrlErrorCode = 'url_not_public'): ParsedTarget => ({
  ok: false,
  code,
  message,
});

/** Validates the URL of a receiver, as far as possible without DNS. */
export function parseTarget(text: string, policy: UrlPolicy): ParsedTarget {
  // oxlint-disable-next-line typescript/no-misused-spread -- a character is a code point, as in the contract
  if ([...text].length > maxUrlLength || /[\s\\]/.test(text) || !URL.canParse(text)) {
    return reject('Not an absolute URL', 'invalid_format');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    return reject('The URL must use https');
  }
  if (url.username !== '' || url.password !== '') return reject('The URL must not carry credentials');
  // `hash` is empty for an empty fragment, but the text still contains `#`.
  if (text.includes('#')) return reject('The URL must not have a fragment');
  const port = url.port === '' ? defaultPort(url) : Number(url.port);
  if (port !== defaultPort(url) && port < 1024)
    return reject('The port must be the default one or at least 1024');
  return checkHost(url, port, policy);
}

function checkHost(url: URL, port: number, policy: UrlPolicy): ParsedTarget {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  // `localhost` is the loopback address by definition and is never resolved. Only the allow-list permits it.
  const address = hostname === 'localhost' ? '127.0.0.1' : isIP(hostname) === 0 ? null : hostname;
  if (address !== null) {
    return isAddressAllowed(address, policy.addresses)
      ? { ok: true, target: { url, hostname, port, address } }
      : reject('The address is not public');
  }
  if (!isPublicName(hostname)) return reject('The host name is not public');
  return { ok: true, target: { url, hostname, port, address: null } };
}

function isPublicName(name: string): boolean {
  if (name.length > 253 || name.endsWith('.') || !name.includes('.')) return false;
  const labels = name.split('.');
  if (labels.some((label) => label.length === 0 || label.length > 63)) return false;
  return !internalZones.some((zone) => name === zone || name.endsWith(`.${zone}`));
}

function defaultPort(url: URL): number {
  return url.protocol === 'https:' ? 443 : 80;
}
