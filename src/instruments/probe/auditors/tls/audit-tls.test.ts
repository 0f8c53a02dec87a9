import { createServer as createPlainServer, type Server } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateMaker, createAuthority } from '../../../../engine/net/certificates/authority.ts';
import { makeSelfSigned } from './sample-certificates.ts';
import { auditPort, listening } from './sample-tls-audit.ts';
import { makeWeakServer } from './sample-weak-server.ts';

const open: Server[] = [];

async function serveTls(options: TlsOptions): Promise<number> {
  const server = createServer(options, (socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  open.push(server);
  return listening(server);
}

afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

const authority = createAuthority();
const maker = new CertificateMaker(authority);
const sound = (): TlsOptions => ({ ...maker.optionsFor(['api.example.test'], false), minVersion: 'TLSv1.2' });
const soundMeans = { authorities: [authority.certificatePem] };

const suitesOf = (facts: Readonly<Record<string, unknown>>): Record<string, readonly string[]> =>
  Object.fromEntries(
    (facts.versions as { version: string; suites: string[] }[]).map((entry) => [entry.version, entry.suites]),
  );

describe('the TLS auditor', () => {
  it('says nothing against a sound server, and what it agrees to', async () => {
    const port = await serveTls({ ...sound(), ALPNProtocols: ['http/1.1'] });
    const { rules, facts, notes } = await auditPort(port, 'api.example.test', soundMeans);
    expect({ rules, notes }).toEqual({ rules: [], notes: [] });
    expect(Object.keys(suitesOf(facts))).toEqual(['TLS 1.2', 'TLS 1.3']);
    expect(suitesOf(facts)['TLS 1.3']).toEqual(
      expect.arrayContaining(['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']),
    );
    expect(facts.handshake).toMatchObject({
      version: 'TLSv1.3',
      alpn: 'http/1.1',
      ocsp_stapled: false,
      chain_error: null,
    });
    expect(facts.certificate).toMatchObject({ names: ['DNS:api.example.test'], key: 'ec 256' });
  });

  it('finds old versions, weak suites and everything that is wrong with a certificate', async () => {
    const pair = makeSelfSigned({ name: 'other.example.test', bits: 1024, hash: 'sha1', days: [-60, -1] });
    const port = await serveTls({
      ...pair,
      minVersion: 'TLSv1',
      ciphers: 'ALL:COMPLEMENTOFALL:@SECLEVEL=0',
      dhparam: 'auto',
    });
    const { rules, facts, findings } = await auditPort(port, 'api.example.test');
    expect(rules).toEqual([
      'tls/anonymous-cipher',
      'tls/cbc-in-version-1-0',
      'tls/certificate-expired',
      'tls/certificate-name-mismatch',
      'tls/certificate-self-signed',
      'tls/certificate-weak-key',
      'tls/certificate-weak-signature',
      'tls/no-forward-secrecy',
      'tls/null-cipher',
      'tls/version-1-0',
      'tls/version-1-1',
    ]);
    expect(Object.keys(suitesOf(facts))).toEqual(['TLS 1.0', 'TLS 1.1', 'TLS 1.2', 'TLS 1.3']);
    expect(findings.every(({ cwe, remediation, repro }) => cwe.length > 0 && remediation !== '' && repro !== '')).toBe(
      true,
    );
  });

  it.each([
    ['only old versions', { maxVersion: 'TLSv1.1' }, ['tls/no-modern-version', 'tls/version-1-1']],
    ['not valid yet', { days: [2, 300] }, ['tls/certificate-not-yet-valid']],
    ['valid for a few days', { days: [-2, 5] }, ['tls/certificate-expires-soon']],
    ['a good key and hash', { days: [-2, 300] }, []],
  ] as const)('%s', async (_, given, expected) => {
    const days = 'days' in given ? given.days : ([-2, 300] as const);
    const pair = makeSelfSigned({ name: 'api.example.test', bits: 2048, hash: 'sha256', days });
    const versions =
      'maxVersion' in given ? { minVersion: given.maxVersion, ...given } : { minVersion: 'TLSv1.2' as const };
    const port = await serveTls({ ...pair, ...versions, ciphers: 'ECDHE:!eNULL:!aNULL:@SECLEVEL=0' });
    const { rules } = await auditPort(port, 'api.example.test');
    expect(rules).toEqual([...expected, 'tls/certificate-self-signed'].toSorted());
  });

  it('rates a wrong name lower where an address was asked for, and tells a chain that leads nowhere', async () => {
    const port = await serveTls(sound());
    const { findings } = await auditPort(port, '127.0.0.1');
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['tls/certificate-untrusted', 'low'],
      ['tls/certificate-name-mismatch', 'low'],
    ]);
  });

  it.each([
    ['the whole chain', false],
    ['the certificate alone', true],
  ])('%s: says whether one may be missing', async (_, isAlone) => {
    const { cert, ...options } = sound();
    const [leaf = ''] = String(cert).split(/(?<=-----END CERTIFICATE-----)/);
    const port = await serveTls({ ...options, cert: isAlone ? leaf : String(cert) });
    const { findings } = await auditPort(port, 'api.example.test');
    expect(findings).toMatchObject([{ rule: 'tls/certificate-untrusted' }]);
    expect(findings[0]?.detail.includes('an intermediate one may be missing')).toBe(isAlone);
  });

  it('finds what no library offers any more', async () => {
    const server = makeWeakServer({
      suites: new Map([
        [0x0300, [0x0005]],
        [0x0301, [0x000a, 0x0009, 0x0003]],
        [0x0303, [0xc02f]],
      ]),
      compression: 1,
      isRenegotiationSecure: false,
    });
    open.push(server);
    const { rules, facts, notes, findings } = await auditPort(await listening(server), 'api.example.test');
    expect(rules).toEqual([
      'tls/cbc-in-version-1-0',
      'tls/compression',
      'tls/des-cipher',
      'tls/export-cipher',
      'tls/no-forward-secrecy',
      'tls/no-secure-renegotiation',
      'tls/rc4-cipher',
      'tls/small-block-cipher',
      'tls/ssl-3',
      'tls/version-1-0',
    ]);
    expect(suitesOf(facts)['TLS 1.0']).toEqual([
      'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
      'TLS_RSA_WITH_DES_CBC_SHA',
      'TLS_RSA_EXPORT_WITH_RC4_40_MD5',
    ]);
    expect(notes).toEqual([expect.stringContaining('the certificate could not be seen')]);
    const commandOf = (rule: string): string => findings.find((each) => each.rule === rule)?.repro ?? '';
    for (const rule of [
      'tls/ssl-3',
      'tls/des-cipher',
      'tls/export-cipher',
      'tls/rc4-cipher',
      'tls/small-block-cipher',
    ]) {
      expect(commandOf(rule)).toMatch(/^nmap -Pn -p \d+ --script ssl-enum-ciphers api\.example\.test$/);
    }
    expect(commandOf('tls/version-1-0')).toMatch(/ -tls1 -cipher ALL:@SECLEVEL=0 <\/dev\/null$/);
  });

  it.each([
    ['garbage', 'SSH-2.0-not-tls\r\n'.repeat(3)],
    ['an alert', Buffer.from([21, 3, 1, 0, 2, 2, 40])],
    ['nothing at all', ''],
    [
      'a record without an end',
      Buffer.concat([Buffer.from([22, 3, 3, 0xff, 0xff, 2, 0xff, 0xff, 0xff]), Buffer.alloc(70_000)]),
    ],
  ])('makes nothing of a server that sends %s', async (_, answer) => {
    const server = createPlainServer((socket) => socket.end(answer));
    open.push(server);
    const { rules, notes } = await auditPort(await listening(server), '127.0.0.1');
    expect({ rules, notes: notes.length }).toEqual({ rules: [], notes: 1 });
  });

  it('fails where nobody listens', async () => {
    const port = await serveTls(sound());
    await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
    await expect(auditPort(port, '127.0.0.1')).rejects.toMatchObject({ kind: 'no-connection' });
  });
});
