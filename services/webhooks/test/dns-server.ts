import { createSocket } from 'node:dgram';

export type DnsServer = { address: string; queries: string[]; close(): Promise<void> };

/**
 * Addresses of either family, a response code (2 SERVFAIL, 3 NXDOMAIN), or no response. `silentFor` suppresses the
 * responses for one family, `afterMs` delays them.
 */
export type DnsAnswer =
  | string[]
  | 2
  | 3
  | 'silent'
  | { addresses: string[]; silentFor?: 'A' | 'AAAA'; afterMs?: number };

/** A name server over UDP for A and AAAA queries. Calls `answer` for every query. */
export async function startDnsServer(answer: (name: string) => DnsAnswer): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  let open = true;
  socket.on('message', (query, from) => {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end);
    queries.push(`${name} ${type === 1 ? 'A' : 'AAAA'}`);
    const result = answer(name);
    const options = typeof result === 'object' && !Array.isArray(result) ? result : undefined;
    if (result === 'silent' || options?.silentFor === (type === 1 ? 'A' : 'AAAA')) return;
    const found = options?.addresses ?? (result as string[] | 2 | 3);
    const addresses =
      typeof found === 'number' ? [] : found.filter((address) => address.includes(':') === (type === 28));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (typeof found === 'number' ? found : 0), 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt16BE(0, 10);
    const records = addresses.map((address) => {
      const data = toBytes(address);
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    });
    const reply = Buffer.concat([head, query.subarray(12, end + 4), ...records]);
    setTimeout(() => {
      if (open) socket.send(reply, from.port, from.address);
    }, options?.afterMs ?? 0);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () =>
      new Promise((resolve) => {
        open = false;
        socket.close(() => resolve());
      }),
  };
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString());
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function toBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [left = '', right = ''] = address.split('::');
  const words = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const missing = 8 - words(left).length - words(right).length;
  const all = [
    ...words(left),
    ...Array.from({ length: address.includes('::') ? missing : 0 }, () => '0'),
    ...words(right),
  ];
  return Buffer.from(
    all.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]),
  );
}
