import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Certificate = { key: string; cert: string; ca: string };

/** Creates a self-signed certificate for a host name, as PEM. It is its own authority. */
export function createCertificate(name: string): Certificate {
  const dir = mkdtempSync(join(tmpdir(), 'bv-tls-'));
  const [keyFile, certFile] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...curve, '-nodes', '-days', '2', ...files, ...names], {
    stdio: 'ignore',
  });
  const cert = readFileSync(certFile, 'utf8');
  const certificate = { key: readFileSync(keyFile, 'utf8'), cert, ca: cert };
  rmSync(dir, { recursive: true });
  return certificate;
}
