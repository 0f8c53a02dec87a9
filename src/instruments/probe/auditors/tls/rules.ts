import type { AuditRule } from '../inquiry/rule.ts';

const brokenCrypto = ['CWE-327'];
const badCertificate = ['CWE-295'];
const useModern = 'Offer TLS 1.2 and 1.3 only.';
const useGoodSuites =
  'Offer only suites with forward secrecy and authenticated encryption (ECDHE with AES-GCM or ChaCha20-Poly1305).';

/** A suite or version that the server agreed to is proof; so is what stands in its certificate. */
export const tlsRules = {
  'ssl-3': {
    title: 'SSL 3.0 is accepted',
    severity: 'high',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useModern,
  },
  'version-1-0': {
    title: 'TLS 1.0 is accepted',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useModern,
  },
  'version-1-1': {
    title: 'TLS 1.1 is accepted',
    severity: 'low',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useModern,
  },
  'no-modern-version': {
    title: 'Neither TLS 1.2 nor TLS 1.3 is offered',
    severity: 'high',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useModern,
  },
  'null-cipher': {
    title: 'Suites without encryption are accepted',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-319', 'CWE-327'],
    remediation: useGoodSuites,
  },
  'anonymous-cipher': {
    title: 'Suites without authentication of the server are accepted',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-322'],
    remediation: useGoodSuites,
  },
  'export-cipher': {
    title: 'Export suites are accepted',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-326'],
    remediation: useGoodSuites,
  },
  'des-cipher': {
    title: 'Suites with DES are accepted',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-326', 'CWE-327'],
    remediation: useGoodSuites,
  },
  'rc4-cipher': {
    title: 'Suites with RC4 are accepted',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useGoodSuites,
  },
  'small-block-cipher': {
    title: 'Suites with blocks of 64 bits (3DES, IDEA) are accepted',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useGoodSuites,
  },
  'cbc-in-version-1-0': {
    title: 'CBC suites are accepted with TLS 1.0',
    severity: 'info',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useModern,
  },
  'no-forward-secrecy': {
    title: 'Suites without forward secrecy are accepted',
    severity: 'low',
    evidenceClass: 'A',
    cwe: brokenCrypto,
    remediation: useGoodSuites,
  },
  compression: {
    title: 'TLS compression is accepted',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-310'],
    remediation: 'Switch the compression of TLS off.',
  },
  'no-secure-renegotiation': {
    title: 'Secure renegotiation is not supported',
    severity: 'medium',
    evidenceClass: 'B',
    cwe: ['CWE-300'],
    remediation: 'Update the TLS library to one that knows RFC 5746, or switch renegotiation off.',
  },
  'certificate-expired': {
    title: 'The certificate has expired',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-298'],
    remediation: 'Renew the certificate, and let a program do it from now on.',
  },
  'certificate-not-yet-valid': {
    title: 'The certificate is not valid yet',
    severity: 'high',
    evidenceClass: 'A',
    cwe: badCertificate,
    remediation: 'Issue a certificate that is valid now, or mend the clock of the server.',
  },
  'certificate-expires-soon': {
    title: 'The certificate expires within two weeks',
    severity: 'info',
    evidenceClass: 'A',
    cwe: ['CWE-298'],
    remediation: 'Renew the certificate, and let a program do it from now on.',
  },
  'certificate-self-signed': {
    title: 'The certificate is signed by itself',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: badCertificate,
    remediation: 'Use a certificate of an authority that the clients trust.',
  },
  'certificate-untrusted': {
    title: 'The chain of the certificate leads to no public authority',
    severity: 'low',
    evidenceClass: 'A',
    cwe: badCertificate,
    remediation:
      'Send the whole chain, and use an authority that the clients trust; one of your own has to be in their stores.',
  },
  'certificate-name-mismatch': {
    title: 'The certificate is for another host',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-297'],
    remediation: 'Issue a certificate that names the host by which clients reach it.',
  },
  'certificate-weak-key': {
    title: 'The key of the certificate is too short',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-326'],
    remediation: 'Use an RSA key of at least 2048 bits or an EC key of at least 224 bits.',
  },
  'certificate-weak-signature': {
    title: 'A certificate of the chain is signed with a broken hash',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-328'],
    remediation: 'Issue the certificate with SHA-256 or better.',
  },
} as const satisfies Readonly<Record<string, AuditRule>>;
export type TlsRule = keyof typeof tlsRules;
