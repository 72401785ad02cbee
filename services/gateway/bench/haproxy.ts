import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keys } from './keys.ts';
import { startServer, type Started } from './processes.ts';
import type { Programs } from './programs.ts';

/** Looks up the SHA-256 of the key in a map of allowances, and counts a minute's requests in a stick table. */
export async function startHaproxy(
  { programs, dir, port }: { programs: Programs; dir: string; port: number },
  keys: Keys,
  upstream: number,
): Promise<Started> {
  const folder = join(dir, 'haproxy');
  mkdirSync(folder, { recursive: true });
  const map = join(folder, 'keys.map');
  // The converter writes hexadecimal digits in upper case.
  writeFileSync(map, readFileSync(keys.mapFile, 'utf8').toUpperCase());
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  nbthread 1
  maxconn 8192
  log stdout format raw local0
defaults
  mode http
  log global
  option httplog
  timeout connect 1s
  timeout client 60s
  timeout server 60s
frontend edge
  bind 127.0.0.1:${port} backlog 4096
  stick-table type string len 64 size 200k expire 2m store http_req_rate(60s)
  http-request set-var(txn.key) req.hdr(authorization),regsub(^Bearer\\ ,),sha2(256),hex
  http-request set-var(txn.allowance) var(txn.key),map_str_int(${map},0)
  http-request deny deny_status 401 if { var(txn.allowance) -m int 0 }
  http-request track-sc0 var(txn.key)
  http-request deny deny_status 429 if { sc_http_req_rate(0),sub(txn.allowance) gt 0 }
  default_backend service
backend service
  http-reuse always
  server one 127.0.0.1:${upstream} maxconn 128
`,
  );
  return startServer([programs.haproxy, '-db', '-f', file], {
    port,
    logFile: join(folder, 'log.txt'),
    env: programs.env,
  });
}
