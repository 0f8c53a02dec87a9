import { describe, expect, it } from 'vitest';
import type { FetchOrder, FetchSink } from './contract.ts';
import { fetchSample } from './index.ts';

const nowhere: FetchSink = {
  write: async () => undefined,
  close: async () => undefined,
  remove: async () => undefined,
};

/** Nothing here may leave the machine: every name is answered by the test, and what would be let through is not tried. */
function ask(url: string, more: Partial<FetchOrder> = {}): Promise<unknown> {
  const resolve = async () => Promise.reject(new Error('no name may be looked up here'));
  return fetchSample({ url, sink: nowhere, resolve, timeoutMs: 5_000, ...more });
}

const refusedUrls: readonly string[] = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://0xc0a80101/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://169.254.0.1/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.7/',
  'http://203.0.113.9/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2002:c0a8:101::]/',
  'http://[2001::1]/',
  'http://[2001:db8::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd12:3456::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'https://[::1]:8443/',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
];

const badUrls: readonly string[] = [
  '',
  'nothing',
  '//example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'http://',
  'http://user@example.com/',
  'http://user:pw@example.com/',
  'http://example.com@127.0.0.1/',
  'http://exa mple.com/',
  'http://example.com/\r\nHost: x',
  'http://example.com/\t',
  'http://[::1',
  'http://[fe80::1%25eth0]/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  `http://example.com/${'x'.repeat(9_000)}`,
];

const answers: readonly [name: string, addresses: readonly string[]][] = [
  ['loopback', ['127.0.0.1']],
  ['metadata', ['169.254.169.254']],
  ['one public, one private', ['93.184.215.14', '10.0.0.1']],
  ['mapped', ['::ffff:10.0.0.1']],
  ['unique local', ['fd00::1']],
  ['NAT64 of loopback', ['64:ff9b::7f00:1']],
  ['with a zone', ['fe80::1%eth0']],
  ['no address at all', ['hello']],
];

describe('what is not fetched', () => {
  it.each(refusedUrls)('%s, for its address', async (url) => {
    await expect(ask(url)).rejects.toMatchObject({
      name: 'TargetError',
      message: expect.stringMatching(/no address of the public/),
    });
  });

  it.each(badUrls)('%j, for what it is', async (url) => {
    await expect(ask(url)).rejects.toMatchObject({ name: 'UsageError' });
  });

  it.each(answers)('names that resolve to: %s', async (_, addresses) => {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    await expect(ask('http://files.example.com/', { resolve })).rejects.toThrow(/no address of the public/);
  });

  it('names without an answer', async () => {
    await expect(ask('http://files.example.com/')).rejects.toThrow(/cannot be resolved/);
    await expect(ask('http://files.example.com/', { resolve: async () => [] })).rejects.toThrow(/has no address/);
  });

  it.each([
    'Host: x',
    'Connection: close',
    'Transfer-Encoding: chunked',
    'Content-Length: 5',
    'X: a\r\nY: b',
    'X: a\nY: b',
    'X\r: a',
    'no colon',
    ': empty',
    'Sp ace: x',
    'X: \0',
    'X: \u4e2d',
  ])('with the header %j', async (header) => {
    await expect(ask('http://127.0.0.1/', { headers: [header] })).rejects.toMatchObject({ name: 'UsageError' });
  });

  it.each([0, -1, Number.NaN, 3_600_001])('with a time limit of %s', async (timeoutMs) => {
    await expect(ask('http://127.0.0.1/', { timeoutMs })).rejects.toMatchObject({ name: 'UsageError' });
  });
});
