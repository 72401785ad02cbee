import type { NodeConnectionOptions } from '@nats-io/transport-node';

type ServerOptions = Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'>;

/** The client takes hosts alone: credentials and the wish for TLS are read from the URLs here. */
export function parseServers(url: string): ServerOptions {
  const urls = url.split(',').flatMap((part) => URL.parse(part.trim()) ?? []);
  const [first] = urls;
  const isServer = (one: URL): boolean => /^(nats|tls):$/.test(one.protocol) && one.hostname !== '';
  // The parser's own error would hold the URL with its password.
  if (first === undefined || urls.length < url.split(',').length || !urls.every(isServer)) {
    throw new Error('A NATS URL is nats://host:port or tls://host:port');
  }
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  return {
    servers: urls.map((one) => `${one.hostname}:${one.port || '4222'}`),
    ...(user !== '' && pass !== '' ? { user, pass } : {}),
    ...(user !== '' && pass === '' ? { token: user } : {}),
    ...(first.protocol === 'tls:' ? { tls: {} } : {}),
  };
}
