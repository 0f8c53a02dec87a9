import type { Json } from '../../contract.ts';
import { linesOf, listed, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';

const mostRows = 100_000;

/** `-T fields`: a line for each packet, tabs between fields, commas between values of one. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return linesOf(text, mostRows)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t', 16).map((cell) => cell.slice(0, 1000)));
}

function valuesOf(cell: string | undefined): readonly string[] {
  return (cell ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function result(facts: Record<string, Json>, label: string, names: readonly string[]): ParsedOutput {
  return { facts, findings: [], texts: names.length === 0 ? [] : [{ label, text: names.join('\n') }], notes: [] };
}

const isName = (text: string): boolean => /^[\p{L}\p{N}_.<>*-]{1,255}$/u.test(text);
const isAddress = (text: string): boolean => /^[0-9a-f.:]{3,45}$/i.test(text);

function parseDns(text: string): ParsedOutput {
  const names = new Set<string>();
  const answers = new Map<string, Set<string>>();
  const rows = rowsOf(text);
  for (const [name, addresses] of rows) {
    for (const one of valuesOf(name).filter(isName)) {
      names.add(one);
      const found = answers.get(one) ?? new Set<string>();
      for (const address of valuesOf(addresses).filter(isAddress)) if (found.size < 50) found.add(address);
      answers.set(one, found);
    }
  }
  if (rows.length > 0 && names.size === 0)
    return { ...nothingParsed, notes: ['tshark: no names were found in the output.'] };
  const list = listed([...names]);
  const resolved = Object.fromEntries(list.map((name) => [name, [...(answers.get(name) ?? [])]]));
  return result({ name_count: names.size, names: list, answers: resolved }, 'DNS names and addresses', [
    ...names,
    ...[...answers.values()].flatMap((found) => [...found]),
  ]);
}

function parseNames(text: string): ParsedOutput {
  const rows = rowsOf(text);
  const names = [...new Set(rows.flatMap(([cell]) => valuesOf(cell)).filter(isName))];
  if (rows.length > 0 && names.length === 0)
    return { ...nothingParsed, notes: ['tshark: no server names were found in the output.'] };
  return result({ name_count: names.length, server_names: listed(names) }, 'TLS server names', names);
}

interface Greeting {
  readonly ja4: string;
  readonly ja3: string;
  readonly server_name: string;
  readonly address: string;
  readonly port: number;
}

function parseFingerprints(text: string): ParsedOutput {
  const [header, ...rows] = rowsOf(text);
  if (header === undefined) return { ...nothingParsed, facts: { greetings: [] } };
  if (!header[0]?.startsWith('tls.handshake.'))
    return { ...nothingParsed, notes: ['tshark: the output has no header of TLS fields.'] };
  const at = (name: string): number => header.indexOf(name);
  const cell = (row: readonly string[], name: string): string => (at(name) === -1 ? '' : (row[at(name)] ?? ''));
  const found = new Map<string, Greeting>();
  for (const row of rows) {
    const greeting = {
      ja4: cell(row, 'tls.handshake.ja4'),
      ja3: cell(row, 'tls.handshake.ja3'),
      server_name: cell(row, 'tls.handshake.extensions_server_name'),
      address: cell(row, 'ip.dst'),
      port: Number.parseInt(cell(row, 'tcp.dstport'), 10) || 0,
    };
    if (found.size < 1000) found.set(JSON.stringify(greeting), greeting);
  }
  const greetings = [...found.values()];
  const names = greetings
    .flatMap(({ server_name, address, ja3, ja4 }) => [server_name, address, ja3, ja4])
    .filter((value) => value !== '');
  return result(
    { greeting_count: greetings.length, greetings: listed(greetings).map((greeting) => ({ ...greeting })) },
    'TLS fingerprints',
    [...new Set(names)],
  );
}

export const tsharkDnsParser: ToolParser = { id: 'tshark-dns', parse: parseDns };
export const tsharkNamesParser: ToolParser = { id: 'tshark-names', parse: parseNames };
export const tsharkFingerprintParser: ToolParser = { id: 'tshark-fingerprint', parse: parseFingerprints };
