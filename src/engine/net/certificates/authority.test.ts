import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../base/process.ts';
import { CertificateMaker, certificateHost, createAuthority } from './authority.ts';
import * as der from './der.ts';

describe('createAuthority', () => {
  it('makes a certificate that signs for itself and may sign others', () => {
    const authority = createAuthority();
    const certificate = new X509Certificate(authority.certificatePem);
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(authority.keyPem))).toBe(true);
  });

  it('differs from run to run', () => {
    expect(createAuthority().certificatePem).not.toBe(createAuthority().certificatePem);
  });
});

describe('CertificateMaker', () => {
  const authority = createAuthority();
  const maker = new CertificateMaker(authority);
  const root = new X509Certificate(authority.certificatePem);
  const cases: readonly (readonly [string, string])[] = [
    ['example.com', 'DNS:example.com'],
    ['a.very-long-label-that-goes-on-and-on.and-on-and-on.and-on-and-on-and-on.example', 'DNS:a.very-long-label'],
    ['93.184.216.34', 'IP Address:93.184.216.34'],
    ['2001:db8::5', 'IP Address:2001:DB8:0:0:0:0:0:5'],
  ];

  it.each(cases)('makes a certificate for %s', (host, alternative) => {
    const certificate = new X509Certificate(maker.certificateFor([host]));
    expect(certificate.subjectAltName).toContain(alternative);
    expect(certificate.checkIssued(root)).toBe(true);
    expect(certificate.verify(root.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  it('gives every certificate its own serial number', () => {
    const serials = Array.from({ length: 50 }, () => new X509Certificate(maker.certificateFor(['a.b'])).serialNumber);
    expect(new Set(serials).size).toBe(50);
  });

  it('keeps the context of a host', () => {
    expect(maker.contextFor(['one.example'])).toBe(maker.contextFor(['one.example']));
    expect(maker.contextFor(['one.example'])).not.toBe(maker.contextFor(['two.example']));
  });

  it('satisfies the strict rules of openssl', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hotcell-certificates-'));
    try {
      writeFileSync(join(folder, 'root.pem'), authority.certificatePem);
      writeFileSync(join(folder, 'leaf.pem'), maker.certificateFor(['example.com', '198.18.0.1']));
      const strict = ['verify', '-x509_strict', '-check_ss_sig', '-purpose', 'sslserver'];
      const host = ['-verify_hostname', 'example.com'];
      const files = ['-CAfile', join(folder, 'root.pem'), join(folder, 'leaf.pem')];
      const result = await runTool('openssl', [...strict, ...host, ...files]);
      expect(result.stderr.toString()).toBe('');
      expect(result.code).toBe(0);
      const other = await runTool('openssl', [...strict, '-verify_hostname', 'other.example', ...files]);
      expect(other.code).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('certificateHost', () => {
  it.each([
    ['Example.COM.', 'example.com'],
    ['198.18.0.1', '198.18.0.1'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['', null],
    ['a..b', null],
    ['a b', null],
    ['a\0b', null],
    ['é.example', null],
    [`${'a'.repeat(64)}.example`, null],
    [`${'abcdefgh.'.repeat(40)}example`, null],
  ])('%j gives %j', (given, expected) => {
    expect(certificateHost(given)).toBe(expected);
  });
});

describe('der', () => {
  it.each([
    ['short', der.octets(Buffer.alloc(3, 1)), '0403010101'],
    ['length of two bytes', der.octets(Buffer.alloc(300)).subarray(0, 4), '0482012c'],
    ['length of one long byte', der.octets(Buffer.alloc(200)).subarray(0, 3), '0481c8'],
    ['zero', der.integer(Buffer.from([0, 0])), '020100'],
    ['a number whose first bit is set', der.integer(Buffer.from([0x80])), '02020080'],
    ['a number with zeros before it', der.integer(Buffer.from([0, 0, 5])), '020105'],
    ['an object id', der.objectId('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    ['a year with two digits', der.time(new Date('2026-01-02T03:04:05.678Z')), '170d3236303130323033303430355a'],
    ['a year with four digits', der.time(new Date('2050-01-02T03:04:05Z')), '180f32303530303130323033303430355a'],
  ])('writes %s', (_, actual, expected) => {
    expect(actual.toString('hex')).toBe(expected);
  });
});
