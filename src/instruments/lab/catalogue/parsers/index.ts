import { type AnalyserResult, noResult } from '../../contract.ts';
import type { ToolEntry } from '../schema.ts';
import { capaParser } from './capa.ts';
import type { ToolParser } from './contract.ts';
import { diecParser } from './diec.ts';
import { exiftoolParser } from './exiftool.ts';
import { flossParser } from './floss.ts';
import { oledumpParser } from './oledump.ts';
import { oleidParser } from './oleid.ts';
import { olevbaParser } from './olevba.ts';
import { pdfParserParser } from './pdf-parser.ts';
import { pdfidParser } from './pdfid.ts';
import { peframeParser } from './peframe.ts';
import { readelfHeaderParser } from './readelf-header.ts';
import { rtfobjParser } from './rtfobj.ts';
import { ssdeepParser } from './ssdeep.ts';
import { tsharkConversationsParser } from './tshark-conversations.ts';
import { tsharkDnsParser, tsharkFingerprintParser, tsharkNamesParser } from './tshark-fields.ts';
import { yaraParser } from './yara.ts';

export const parsers: readonly ToolParser[] = [
  capaParser,
  diecParser,
  exiftoolParser,
  flossParser,
  oledumpParser,
  oleidParser,
  olevbaParser,
  pdfParserParser,
  pdfidParser,
  peframeParser,
  readelfHeaderParser,
  rtfobjParser,
  ssdeepParser,
  tsharkConversationsParser,
  tsharkDnsParser,
  tsharkFingerprintParser,
  tsharkNamesParser,
  yaraParser,
];

/** Above this a tool has printed more than anybody reads; the rest is left out, with a note. */
const mostBytes = 64 * 1024 * 1024;

/** The whole output of a tool, as data. A tool without a parser is judged by its exit code alone. */
export function parseOutput(entry: Pick<ToolEntry, 'id' | 'parser'>, stdout: Uint8Array | string): AnalyserResult {
  const parser = parsers.find(({ id }) => id === entry.parser);
  if (parser === undefined) return noResult;
  const kept = typeof stdout === 'string' ? stdout.slice(0, mostBytes) : stdout.subarray(0, mostBytes);
  const parsed = parser.parse(typeof kept === 'string' ? kept : Buffer.from(kept).toString('utf8'));
  const cut = kept.length < stdout.length ? [`${entry.id}: only the first ${mostBytes} bytes were read.`] : [];
  return { ...parsed, children: [], notes: [...parsed.notes, ...cut] };
}
