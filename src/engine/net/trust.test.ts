import { describe, expect, it } from 'vitest';
import { trustFiles } from './trust.ts';

const authorityPem = '-----BEGIN CERTIFICATE-----\nours\n-----END CERTIFICATE-----\n';

describe('trustFiles', () => {
  it('adds our authority to what the system trusts, wherever programs look for it', async () => {
    const systemBundle = '-----BEGIN CERTIFICATE-----\ntheirs\n-----END CERTIFICATE-----';
    const { files, environment } = await trustFiles({ authorityPem, folder: '/trust', systemBundle });
    const byPath = new Map(files.map(({ path, content }) => [path, content]));
    expect(byPath.get('/trust/bundle.pem')).toBe(`${systemBundle}\n${authorityPem}`);
    expect(byPath.get('/trust/authority.pem')).toBe(authorityPem);
    expect(byPath.get('/etc/ssl/certs/ca-certificates.crt')).toBe(byPath.get('/trust/bundle.pem'));
    expect(byPath.get('/etc/resolv.conf')).toMatch(/^nameserver 10\.200\.0\.1$/m);
    expect(environment).toMatchObject({
      NODE_EXTRA_CA_CERTS: '/trust/authority.pem',
      SSL_CERT_FILE: '/trust/bundle.pem',
      REQUESTS_CA_BUNDLE: '/trust/bundle.pem',
      CURL_CA_BUNDLE: '/trust/bundle.pem',
      PIP_CERT: '/trust/bundle.pem',
      npm_config_cafile: '/trust/bundle.pem',
    });
  });

  it('names only files that it brings', async () => {
    const { files, environment } = await trustFiles({ authorityPem, folder: '/t', hasSystemFiles: false });
    const paths = files.map(({ path }) => path);
    for (const path of Object.values(environment)) expect(paths).toContain(path);
    expect(paths.filter((path) => path.startsWith('/etc/ssl'))).toEqual([]);
  });
});
