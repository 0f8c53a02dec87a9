import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fuzzAnalyser, inputOf } from '../../../../../test/samples/lab/fuzz-analyser.ts';
import { mixedFrames, mixedPcap, writePcap, writePcapNg } from '../../../../../test/samples/lab/pcap/make-pcap.ts';
import type { AnalyserResult } from '../../contract.ts';
import { pcap } from './pcap.ts';

const analyse = (bytes: Uint8Array): AnalyserResult => pcap.analyse(inputOf(bytes, 'pcap')) as AnalyserResult;

describe('facts', () => {
  it.each([
    ['little endian', mixedPcap(), 'pcap'],
    ['big endian', writePcap(mixedFrames(), { little: false }), 'pcap'],
    ['nanoseconds', writePcap(mixedFrames(), { nano: true }), 'pcap'],
    ['pcapng', writePcapNg(mixedFrames()), 'pcapng'],
  ])('%s', (_name, bytes, format) => {
    const { facts, findings, notes, children, texts } = analyse(bytes);
    expect(facts).toMatchObject({
      format,
      conversation_count: 10,
      first: '2023-11-14T22:13:20.000Z',
      dns: [{ name: 'marker.example.com', queries: 1, types: ['A'], answers: ['198.51.100.7'] }],
      http: [
        {
          method: 'GET',
          host: 'marker.example.com',
          path: '/files/tool.exe?x=1',
          user_agent: 'marker-agent/1.0',
          status: 200,
          body: 2502,
        },
      ],
      tls: [
        {
          server_name: 'tls.example.com',
          alpn: ['h2', 'http/1.1'],
          ja4: 't13d1516h2_8daaf6152771_e5627efa2ab1',
          chosen_version: '0x0304',
          cipher: '0x1301',
        },
      ],
      plain_protocols: ['USER marker', 'PASS not-a-secret'],
      beacons: [{ connections: 6, interval_seconds: 60, jitter: 0 }],
    });
    expect(findings.map(({ rule }) => rule).sort()).toEqual([
      'pcap.plain-credentials',
      'pcap.program-transferred',
      'pcap.regular-connections',
    ]);
    expect(findings.find(({ rule }) => rule === 'pcap.plain-credentials')?.evidence.map(({ text }) => text)).toEqual([
      'user:secret',
      'USER marker',
      'PASS not-a-secret',
    ]);
    expect(children.map(({ name, bytes: body }) => [name, body.length])).toEqual([['tool.exe', 2502]]);
    expect(texts.some(({ text }) => text.includes('http://marker.example.com/files/tool.exe?x=1'))).toBe(true);
    expect(notes).toEqual([]);
  });

  it('puts packets in order, and says when some are missing', () => {
    const frames = mixedFrames();
    const http = frames.filter(({ bytes }) => Buffer.from(bytes).includes('pppp'));
    const others = frames.filter((one) => !http.includes(one));
    const mixed = analyse(writePcap([...others, ...http.toReversed(), ...http]));
    expect(mixed.children[0]?.bytes.length).toBe(2502);
    const missing = analyse(writePcap([...others, ...http.slice(0, 1), ...http.slice(2)]));
    expect(missing.facts.http).toMatchObject([{ body_cut: true }]);
    expect(missing.notes.join()).toContain('first hole');
  });
});

describe.skipIf(spawnSync('tshark', ['--version']).status !== 0)(
  'against tshark (skipped where it is not installed)',
  () => {
    /** What tshark says in each field, without the packets that say nothing. */
    const ask = (bytes: Uint8Array, fields: readonly string[]): Record<string, string[]> => {
      const folder = mkdtempSync(join(tmpdir(), 'pcap-'));
      writeFileSync(join(folder, 'in.pcap'), bytes);
      const wanted = fields.flatMap((field) => ['-e', field]);
      const output = execFileSync('tshark', ['-r', join(folder, 'in.pcap'), '-T', 'fields', ...wanted], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      rmSync(folder, { recursive: true });
      const rows = output.split('\n').map((line) => line.split('\t'));
      return Object.fromEntries(
        fields.map((field, index) => [
          field,
          [...new Set(rows.map((row) => row[index] ?? '').filter((value) => value !== ''))],
        ]),
      );
    };

    it('agrees on names, requests, TLS and connections', () => {
      const { facts } = analyse(mixedPcap());
      const [tls] = facts.tls as { ja3: string; ja3s: string; ja3_text: string }[];
      const expected = {
        'tls.handshake.extensions_server_name': ['tls.example.com'],
        'tls.handshake.ja3': [tls?.ja3],
        'tls.handshake.ja3_full': [tls?.ja3_text],
        'tls.handshake.ja3s': [tls?.ja3s],
        'dns.qry.name': ['marker.example.com'],
        'dns.a': ['198.51.100.7'],
        'http.request.method': ['GET'],
        'http.host': ['marker.example.com'],
        'http.request.uri': ['/files/tool.exe?x=1'],
        'http.response.code': ['200'],
        'http.content_length': ['2502'],
        'tcp.stream': Array.from({ length: Number(facts.conversation_count) - 1 }, (_, index) => String(index)),
      };
      expect(ask(mixedPcap(), Object.keys(expected))).toEqual(expected);
    });
  },
);

it('is not troubled by mutated samples', async () => {
  const samples = [mixedPcap(), writePcapNg(mixedFrames()), writePcap(mixedFrames(), { little: false })].map(
    (bytes) => ({ bytes, kind: 'pcap' as const }),
  );
  expect((await fuzzAnalyser(pcap, samples)).problems).toEqual([]);
});
