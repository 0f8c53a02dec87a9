/** The encoding of `.vbe` and `.jse`: each character is put through one of three tables, chosen by its place. */

/** What the bytes 32 to 127 stand for, in each of the three tables. */
const tables = [
  '2e477a56426a2f26494134325b7672433839704568714f09624423754a7e4a5e40774a615d224b6f4e3b4c50672a7d74' +
    '542b2d2c306e6b66352521644d52633f7b7829287359337f6d55537c3a5f65465831696c5a48275c3d24793760512036',
  '2d755260715e495c627d2936207c7a7f6b63332b68516676316454434c3a4c7e4c452c2a7427374479592f6f26726a39' +
    '7b3f387767534734785d30235a5b6c485570692e4c21244e5009567335614b583b57226d4d2528464a32413d5f4f4265',
  '323021295b38333d583a3565395c5673664e456b6259785e7d4a6d714160415340422748727531374d5222546a47642d' +
    '207f2e4c5d7e6c6f797443267625242b28234134092a443f773b55696163506751494f46687c36706e7a2f5f4b5a2c57',
].map((hex) => Buffer.from(hex, 'hex').toString('latin1'));
const tabs = ['W', 'n', '{'];
const turns = '0120121221210212021200122102122100212120200120210212001220012021';
const escapes: Readonly<Record<string, string>> = { '&': '\n', '#': '\r', '*': '>', '!': '<', $: '@' };

const block = /#@~\^([A-Za-z0-9+/]{6})==/g;
const mostBlocks = 200;

export interface DecodedBlock {
  readonly text: string;
  /** Whether the sum of the characters is the one that is written behind them. */
  readonly whole: boolean;
}

function decodeBlock(encoded: string): string {
  const out: string[] = [];
  for (let at = 0, place = 0; at < encoded.length; at += 1, place += 1) {
    const character = encoded[at] ?? '';
    const code = encoded.charCodeAt(at);
    const table = Number(turns[place % 64]);
    if (character === '@') {
      at += 1;
      out.push(escapes[encoded[at] ?? ''] ?? character);
    } else if (code === 9) out.push(tabs[table] ?? '');
    else if (code >= 32 && code < 128) out.push(tables[table]?.[code - 32] ?? '');
    else {
      // Beyond ASCII nothing is changed, and the place is not counted.
      if (code >= 128) place -= 1;
      out.push(character);
    }
  }
  return out.join('');
}

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum + text.charCodeAt(at)) >>> 0;
  return sum;
}

function numberOf(encoded: string): number {
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length < 4 ? -1 : bytes.readUInt32LE(0);
}

/** All encoded blocks of a text; a block whose end is missing gives what there is of it. */
export function decodeScriptBlocks(text: string): DecodedBlock[] {
  const found: DecodedBlock[] = [];
  for (const match of text.matchAll(block)) {
    if (found.length >= mostBlocks) break;
    const start = match.index + match[0].length;
    const length = numberOf(match[1] ?? '');
    const end = text.indexOf('==^#~@', start);
    const encoded = text.slice(start, end < 0 ? start + Math.min(Math.max(0, length) * 2, 4_000_000) : end - 6);
    if (encoded.length > 4_000_000) break;
    const decoded = decodeBlock(encoded);
    const sum = end < 0 ? -1 : numberOf(text.slice(end - 6, end));
    found.push({ text: decoded, whole: sum === sumOf(decoded) });
  }
  return found;
}
