import { describe, expect, it } from 'vitest';
import { found, noise, type Row } from './expectations.ts';
import { extractIndicators } from './extract.ts';

const rows: readonly Row[] = [
  ['10.1.2.3', [], ['ipv4 10.1.2.3: private address']],
  ['127.0.0.1', [], ['ipv4 127.0.0.1: loopback address']],
  ['169.254.169.254', [], ['ipv4 169.254.169.254: link-local address']],
  ['224.0.0.251', [], ['ipv4 224.0.0.251: multicast address']],
  ['8.8.8.8', [], ['ipv4 8.8.8.8: public name server']],
  ['http://192.168.1.1/x', [], ['ipv4 192.168.1.1: private address', 'url http://192.168.1.1/x: private address']],
  ['http://localhost/x', [], ['url http://localhost/x: name of a local network']],
  ['fe80::1', [], ['ipv6 fe80::1: link-local address']],
  ['srv.corp', [], ['domain srv.corp: name of a local network']],
  ['System.IO', [], ['domain system.io: looks like a .NET namespace']],
  ['System.Net.Security', [], ['domain system.net.security: looks like a .NET namespace']],
  ['Microsoft.Win32.Tools', [], ['domain microsoft.win32.tools: looks like a .NET namespace']],
  ['MyApp.Properties.Support', [], ['domain myapp.properties.support: looks like a .NET namespace']],
  ['java.io', [], ['domain java.io: looks like a Java package']],
  ['com.example.tools', [], ['domain com.example.tools: looks like a Java package']],
  ['org.apache.commons.io', [], ['domain org.apache.commons.io: looks like a Java package']],
  ['application/vnd.ms', [], ['domain vnd.ms: looks like a part of a MIME type']],
  ['this.name', [], ['domain this.name: looks like program code']],
  ['foo.call(x)', []],
  ['socket.connect', []],
  ['node.link(x)', [], ['domain node.link: looks like a call in program code']],
  ['e.id', [], ['domain e.id: looks like program code']],
  ['item.name = 5', [], ['domain item.name: looks like program code']],
  [
    'http://www.w3.org/2000/svg',
    [],
    ['domain www.w3.org: XML namespace or schema', 'url http://www.w3.org/2000/svg: XML namespace or schema'],
  ],
  [
    'http://schemas.openxmlformats.org/x',
    [],
    [
      'domain schemas.openxmlformats.org: XML namespace or schema',
      'url http://schemas.openxmlformats.org/x: XML namespace or schema',
    ],
  ],
  [
    'http://ocsp.digicert.com',
    [],
    ['domain ocsp.digicert.com: certificate authority', 'url http://ocsp.digicert.com: certificate authority'],
  ],
  [
    'olevba - http://decalage.info/python/oletools',
    [],
    [
      'domain decalage.info: site of an analysis tool or a catalogue',
      'url http://decalage.info/python/oletools: site of an analysis tool or a catalogue',
    ],
  ],
  [
    'https://www.microsoft.com/en-us/',
    [],
    ['domain www.microsoft.com: well-known vendor', 'url https://www.microsoft.com/en-us/: well-known vendor'],
  ],
  [
    'secure@microsoft.com',
    [],
    ['domain microsoft.com: well-known vendor', 'email secure@microsoft.com: well-known vendor'],
  ],
  ['x.test', [], ['domain x.test: not a public ending, and nothing around says that it is a host']],
  ['ff:ff:ff:ff:ff:ff', [], ['mac ff:ff:ff:ff:ff:ff: address of no device']],
  ['.data.rel.ro', [], ['domain data.rel.ro: looks like the name of a section or a hidden file']],
  ['%s-cert.pub', [], ['domain s-cert.pub: looks like a format of a text']],
  ['ASN1_OCTET_STRING mutex named_pipe /tmp/', []],
  ['AS12', [], ['asn AS12: too short to be sure']],
  ['-----BEGIN RSA PRIVATE KEY-----', [], ['private_key RSA PRIVATE KEY: only the first line of a key']],
];

describe('noise', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%j', (text, [, expected, expectedNoise]) => {
    expect(found(text)).toEqual([...expected].toSorted());
    if (expectedNoise !== undefined) expect(noise(text)).toEqual([...expectedNoise].toSorted());
  });

  it('is none when private addresses are asked for', () => {
    const { indicators } = extractIndicators('10.1.2.3 http://192.168.1.1/x srv.corp 0.0.0.0', {
      includePrivateAddresses: true,
    });
    expect(indicators.map(({ value }) => value)).toEqual([
      'http://192.168.1.1/x',
      'srv.corp',
      '192.168.1.1',
      '10.1.2.3',
    ]);
  });

  it('gives way where the same thing stands in a better place', () => {
    const text = 'version 5.2.0.10\nconnect to 5.2.0.10:4444';
    expect(extractIndicators(text, { types: ['ipv4'] }).indicators).toMatchObject([
      { value: '5.2.0.10', count: 2, confidence: 0.6, context: 'connect to 5.2.0.10:4444' },
    ]);
  });
});

describe('a report in prose', () => {
  const report = String.raw`
The document invoice_2024.docm (SHA-256 d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592) was sent on 12.03.2024
at 10:15:30 from billing[at]lure-shop[.]pl. Its macro, i.e. the AutoOpen routine, runs certutil -decode and writes
C:\Users\Public\Some Folder\update.exe, version 3.1.0.2, built with .NET (System.IO, System.Net.Http) e.g. in Visual Studio 2019.
It then contacts hxxps://cdn.lure-shop[.]pl/stage2/get.php?id=7 and 203[.]0[.]114[.]77:4443, see CVE-2017-11882 and T1566.001.
Persistence: HKCU\Software\Microsoft\Windows\CurrentVersion\Run\Updater and the mutex Global\lure-77. Approx. 50% of hosts, etc.
See https://www.microsoft.com/security for advice, and the U.S. cert. team. No.1 choice.And more.
`;

  it('gives what is there and nothing else', () => {
    expect(found(report)).toEqual(
      [
        'attack_technique T1566.001',
        'cve CVE-2017-11882',
        'domain cdn.lure-shop.pl',
        'domain lure-shop.pl',
        'email billing@lure-shop.pl',
        'file_name invoice_2024.docm',
        'ipv4 203.0.114.77',
        String.raw`mutex Global\lure-77`,
        'network_port 4443',
        String.raw`registry_key HKCU\Software\Microsoft\Windows\CurrentVersion\Run\Updater`,
        'sha256 d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592',
        'suspicious_executable certutil.exe',
        'url https://cdn.lure-shop.pl/stage2/get.php?id=7',
        String.raw`windows_path C:\Users\Public\Some Folder\update.exe`,
      ].toSorted(),
    );
  });
});
