import { isIP } from 'node:net';
import { type AddressPolicy, isAddressAllowed } from './address.ts';

export type UrlPolicy = { addresses: AddressPolicy; allowHttp: boolean };

export type Target = {
  url: URL;
  /** Without brackets. */
  hostname: string;
  port: number;
  /** Set when the host is an address: nothing is resolved then. */
  address: string | null;
};

export type ParsedTarget = { ok: true; target: Target } | { ok: false; code: UrlRefusal; message: string };
type UrlRefusal = 'invalid_format' | 'url_not_public';

const maxUrlLength = 2048;

/** Names that never lead to the public internet: special-use domains (RFC 6761 and kin) and common inner zones. */
const innerZones = [
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

const refuse = (message: string, code: UrlRefusal = 'url_not_public'): ParsedTarget => ({
  ok: false,
  code,
  message,
});

/** Everything about a receiver's URL that can be judged without asking DNS. */
export function parseTarget(text: string, policy: UrlPolicy): ParsedTarget {
  // oxlint-disable-next-line typescript/no-misused-spread -- a character is a code point, as in the contract
  if ([...text].length > maxUrlLength || /[\s\\]/.test(text) || !URL.canParse(text)) {
    return refuse('Not an absolute URL', 'invalid_format');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    return refuse('The URL must use https');
  }
  if (url.username !== '' || url.password !== '') return refuse('The URL must not carry credentials');
  // An empty fragment leaves `hash` empty, but the text still carries its mark.
  if (text.includes('#')) return refuse('The URL must not have a fragment');
  const port = url.port === '' ? defaultPort(url) : Number(url.port);
  if (port !== defaultPort(url) && port < 1024)
    return refuse('The port must be the default one or at least 1024');
  return judgeHost(url, port, policy);
}

function judgeHost(url: URL, port: number, policy: UrlPolicy): ParsedTarget {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  // `localhost` is loopback by definition and is never looked up; the allow-list alone can open it.
  const address = hostname === 'localhost' ? '127.0.0.1' : isIP(hostname) === 0 ? null : hostname;
  if (address !== null) {
    return isAddressAllowed(address, policy.addresses)
      ? { ok: true, target: { url, hostname, port, address } }
      : refuse('The address is not public');
  }
  if (!isPublicName(hostname)) return refuse('The host name is not public');
  return { ok: true, target: { url, hostname, port, address: null } };
}

function isPublicName(name: string): boolean {
  if (name.length > 253 || name.endsWith('.') || !name.includes('.')) return false;
  const labels = name.split('.');
  if (labels.some((label) => label.length === 0 || label.length > 63)) return false;
  return !innerZones.some((zone) => name === zone || name.endsWith(`.${zone}`));
}

function defaultPort(url: URL): number {
  return url.protocol === 'https:' ? 443 : 80;
}
