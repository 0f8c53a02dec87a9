import { expect } from 'vitest';
import { extractCounted } from '../../../../src/instruments/lab/indicators/extract.ts';
import type { SampleLab } from '../sample-lab.ts';
import type { Row } from './benches.ts';

/** Indicators: which are kept, which are noise and why, and what they cost. */

interface Told {
  readonly value: string;
  readonly type: string;
  readonly noise: string | null;
}

async function ask(bench: SampleLab, input: Record<string, unknown>): Promise<{ iocs: Told[]; summary: Summary }> {
  const { isError, data, error } = await bench.call('extract_iocs', input);
  expect(error).toBe('');
  expect(isError).toBe(false);
  return data as unknown as { iocs: Told[]; summary: Summary };
}

interface Summary {
  readonly total: number;
  readonly noise_filtered: number;
  readonly by_type: Record<string, number>;
  readonly next_offset: number | null;
}

const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'.replace('e3b', 'd4c');

/** Each stands alone in a sentence and has to be found as it is. */
const kept: readonly (readonly [string, string])[] = [
  ['domain', 'panel.tracker-update.pl'],
  ['domain', 'cdn.loader-files.py'],
  ['domain', 'get.install-script.sh'],
  ['domain', 'invoice-archive.zip'],
  ['url', 'https://raw.githubusercontent.com/someone/tools/main/stage.ps1'],
  ['url', 'https://stage77.blob.core.windows.net/payload/a.bin'],
  ['url', 'https://storage.googleapis.com/bucket-7/payload.exe'],
  ['windows_path', 'C:\\Program Files\\Common Files\\updater.exe'],
  ['onion', `${'a2b4c6d7'.repeat(7)}.onion`],
  ['unix_path', '/tmp/.cache-update'],
  ['webhook', `https://discord.com/api/webhooks/123456789012345678/${'aB3_'.repeat(17)}`],
  ['cloud_key', 'AKIAQ7RTN4WXYZ2B5CDE'],
  ['sha256', digest],
  ['mutex', 'Global\\Loader_77_Once'],
  ['ja4', 't13d1516h2_8daaf6152771_e5627efa2ab1'],
  ['file_name', 'stage2_loader.exe'],
  ['tlsh', `T1${'6BC1D2E3F4A5B6C7D8E9'.repeat(4).slice(0, 70)}`],
  ['registry_key', 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'],
];

export const indicatorRows: readonly Row[] = [
  {
    number: 15,
    name: 'indicators of many kinds are kept, whole, once each, and page by page',
    async check(benches) {
      const bench = await benches.boxed();
      for (const [type, value] of kept) {
        const { iocs } = await ask(bench, { text: `it was seen with "${value}" at night.`, include_noise: false });
        const found = iocs.filter((ioc) => ioc.value.toLowerCase() === value.toLowerCase()).map((ioc) => ioc.type);
        expect(found, `${type} ${value}: ${JSON.stringify(iocs)}`).toContain(type);
      }
      const address = await ask(bench, { text: 'beacon to 5.2.0.10 on port 443', include_noise: true });
      expect(address.iocs.filter(({ type }) => type === 'ipv4')).toMatchObject([{ value: '5.2.0.10', noise: null }]);
      const twice = await ask(bench, { text: `${digest} and ${digest.toUpperCase()}` });
      expect(twice.iocs.filter(({ type }) => type === 'sha256')).toHaveLength(1);
      const many = Array.from({ length: 260 }, (_, at) => `http://host${at}.tracker-update.com/a`).join('\n');
      const seen = new Set<string>();
      let offset: number | null = 0;
      for (let page = 0; offset !== null && page < 5; page += 1) {
        const { iocs, summary }: { iocs: Told[]; summary: Summary } = await ask(bench, {
          text: many,
          types: ['url'],
          offset,
        });
        expect(summary.by_type.url).toBe(260);
        for (const { value } of iocs) seen.add(value);
        offset = summary.next_offset;
      }
      expect(seen.size).toBe(260);
    },
  },
  {
    number: 16,
    name: 'long dotted runs cost in proportion to their length, and are noise with a reason',
    async check(benches) {
      for (const word of ['System.IO.File.', 'ab.cd.', 'System.IO.File ']) {
        const [short = 0, long = 0] = [10_000, 40_000].map(
          (length) => extractCounted(word.repeat(Math.ceil(length / word.length))).steps,
        );
        // Four times the text: were it quadratic, it would be sixteen times the steps.
        expect(long / short, word).toBeLessThan(4.4);
      }
      const bench = await benches.boxed();
      const text = `${'System.IO.File.'.repeat(2700)} then http://after.tracker-update.com/x`;
      const { iocs, summary } = await ask(bench, { text, include_noise: true });
      expect(iocs.filter(({ noise }) => noise === null).map(({ value }) => value)).toEqual(
        expect.arrayContaining(['http://after.tracker-update.com/x']),
      );
      expect(iocs.filter(({ value, noise }) => /system\.io/i.test(value) && noise === null)).toEqual([]);
      const names = await ask(bench, { text: 'it calls System.IO and System.Net', include_noise: true });
      expect(names.iocs.length).toBeGreaterThan(0);
      for (const { noise } of names.iocs) expect(noise).toMatch(/\w/);
      expect(summary.total).toBeGreaterThan(0);
    },
  },
];
