import { extractIndicators } from '../src/instruments/lab/indicators/index.ts';
import type { Result } from './result.ts';

/**
 * How long the search for indicators takes on texts made to be slow, and how the time grows when a text is doubled. The time is
 * that of the processor, so that what else runs on the machine does not count.
 */

const mebibyte = 1024 * 1024;
const rounds = 2;

/** What readers of runs, of brackets and of ends go over again and again when they are not careful. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'System.IO.File.': 'System.IO.File.',
  'ab.cd.': 'ab.cd.',
  'a@': 'a@',
  'a.b@c.d.': 'a.b@c.d.',
  'http://': 'http://',
  'http://a.pl/': 'http://a.pl/',
  'http://a.pl/?u=': 'http://a.pl/?u=',
  'http://a((': 'http://a.pl/((',
  'http://a))': 'http://a.pl/))',
  'C:\\': 'C:\\',
  'C:\\a b\\': 'C:\\a b ',
  '%a%\\': '%ab%\\',
  '\\\\ab\\': '\\\\ab\\c',
  'HKLM\\a ': 'HKLM\\a b ',
  '/tmp/': ' /tmp/',
  hex: 'deadbeef01234567',
  'base 64': 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo+/',
  dots: '.',
  blanks: ' ',
  colons: ':',
  '%41': '%41%41',
  'fe:': 'fe:',
  '[.]': 'a[.]',
  ' dot ': 'a dot ',
  'h**p': 'h**p',
  'Mozilla/5.0 ': 'Mozilla/5.0 (a) ',
  'schtasks ': 'schtasks /a ',
  'mutex: ': 'mutex: ',
  'Global\\': 'Global\\aaaa',
  '1.2.3.4 ': '1.2.3.4 ',
  'ab.pl ': 'ab.pl ',
  '-----BEGIN': '-----BEGIN PRIVATE KEY-----',
  letters: 'a',
  '中.': '中.',
};

function seconds(text: string): number {
  const before = process.cpuUsage();
  extractIndicators(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

export function measureIndicators(): readonly Result[] {
  const slowest = { name: '', value: 0 };
  const steepest = { name: '', value: 0 };
  for (const [name, piece] of Object.entries(hostileTexts)) {
    const text = piece.repeat(Math.ceil(mebibyte / piece.length)).slice(0, mebibyte);
    seconds(text);
    const once: number[] = [];
    const twice: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      once.push(seconds(text));
      twice.push(seconds(text + text));
    }
    const value = Math.min(...once);
    const growth = Math.min(...twice) / value;
    if (process.env.HOTCELL_BENCH_VERBOSE)
      console.log(`  ${name.padEnd(20)} ${value.toFixed(3)} s  x${growth.toFixed(2)}`);
    if (value > slowest.value) Object.assign(slowest, { name, value });
    if (growth > steepest.value) Object.assign(steepest, { name, value: growth });
  }
  const texts = Object.keys(hostileTexts).length;
  return [
    {
      name: 'indicators in 1 MiB, slowest',
      value: slowest.value,
      unit: 's',
      bar: 1,
      detail: `of ${texts} hostile texts: ${slowest.name}`,
    },
    {
      name: '… twice the text',
      value: steepest.value,
      unit: 'x',
      bar: 2.2,
      detail: `steepest of ${texts}: ${steepest.name}`,
    },
  ];
}
