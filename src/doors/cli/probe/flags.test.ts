import { describe, expect, it } from 'vitest';
import { scanners } from '../../../instruments/probe/scanners/index.ts';
import { checkScannerInput, readScannerInput, scannerFlags } from './flags.ts';

const all = scanners.map((scanner) => [scanner.command, scanner] as const);

describe('flags of scanners', () => {
  it.each(all)('%s: every argument but the first has one, described', (_, scanner) => {
    const fields = Object.keys(scanner.input.shape).filter((field) => field !== scanner.positional);
    const flags = scannerFlags(scanner);
    expect(flags.map(({ flags: text }) => text.split(' ')[0])).toEqual(
      fields.map((field) => `--${field.replaceAll('_', '-')}`),
    );
    for (const { description } of flags) expect(description.length).toBeGreaterThan(5);
  });

  it.each(all)('%s: its examples can be given as flags', (_, scanner) => {
    for (const { input } of scanner.examples) {
      const entries = Object.entries(input).filter(([field]) => field !== scanner.positional);
      // As commander would hand them over: camel case, and texts for numbers.
      const options = Object.fromEntries(
        entries.map(([field, value]) => [
          field.replace(/_([a-z])/g, (__, letter: string) => letter.toUpperCase()),
          typeof value === 'number' ? String(value) : value,
        ]),
      );
      const word = String((input as Record<string, unknown>)[scanner.positional]);
      expect(readScannerInput(scanner, options, [word])).toEqual(input);
      expect(scanner.input.safeParse(readScannerInput(scanner, options, [word])).success).toBe(true);
    }
  });

  it('refuses what is no number', () => {
    const [, tls] = all.find(([command]) => command === 'tls') ?? [];
    if (tls === undefined) throw new Error('there is no tls');
    for (const port of ['x', '', '0x10', '1e3', 'Infinity', ' 1']) {
      expect(() => readScannerInput(tls, { port }, ['127.0.0.1'])).toThrow('expected a number');
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['http', { url: '127.0.0.1:8077' }, 'url: expected http or https URL inside the scope, such as http://'],
    ['http', { url: 'ftp://127.0.0.1/' }, 'url: expected http or https URL'],
    ['nmap', { target: '' }, 'target: expected at least 1 characters'],
    ['nmap', { target: '127.0.0.1', scan_type: 'x' }, '--scan-type: expected one of'],
    ['tls', { target: '127.0.0.1', port: 0 }, '--port: expected at least 1'],
    ['jwt', { url: 'http://127.0.0.1/', token: 'x' }, '--token: expected'],
  ])('%s %j is refused in words', (command, input, words) => {
    const scanner = scanners.find((each) => each.command === command);
    if (scanner === undefined) throw new Error('there is no such scanner');
    expect(() => checkScannerInput(scanner, input)).toThrow(words);
    expect(() => checkScannerInput(scanner, input)).not.toThrow(/pattern|Invalid|Too/);
  });
});
