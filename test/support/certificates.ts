import type { CertificateFiles } from '@laurel/servers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run';

/** Certificates that a suite made for itself. */
export interface Certificates extends CertificateFiles {
  remove(): Promise<void>;
}

/** An authority of our own, and a certificate of it for these names and for 127.0.0.1, valid for two days. */
export async function makeCertificates(...names: readonly string[]): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-certificates-'));
  const openssl = (...args: readonly string[]) => run('openssl', [...args], { cwd: folder });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  const days = ['-days', '2'];
  const subject = [...names.map((name) => `DNS:${name}`), 'IP:127.0.0.1'].join(',');
  await writeFile(join(folder, 'names'), `subjectAltName=${subject}\n`);
  await openssl('req', '-x509', ...key, ...days, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=authority');
  await openssl('req', ...key, '-keyout', 'redis.key', '-out', 'redis.csr', '-subj', '/CN=redis');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-out', 'redis.crt'];
  await openssl('x509', '-req', '-in', 'redis.csr', ...days, ...signed);
  return {
    ca: join(folder, 'ca.crt'),
    cert: join(folder, 'redis.crt'),
    key: join(folder, 'redis.key'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
