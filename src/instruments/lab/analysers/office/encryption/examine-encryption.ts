import { isPowerPointEncrypted } from '../binary/power-point.ts';
import { wordHeader } from '../binary/word.ts';
import { u16 } from '../bytes.ts';
import type { Collector } from '../collector.ts';
import type { CompoundFile } from '../compound/read-compound-file.ts';
import { defaultPasswordKind, encryptedKind } from '../kinds-of-findings.ts';
import { workbookProtection } from '../xlm/examine-workbook.ts';
import { xmlText } from '../zip/read-zip.ts';
import { agileKey, decryptAgile, isAgileSupported, readAgile } from './agile.ts';
import { decipherBlocks, decipherWorkbook, type LegacyInfo, readLegacy } from './legacy.ts';
import { replaceStreams } from './replace-streams.ts';
import { aesAlgorithms, decryptStandard, isStandardSupported, readCryptoHeader, standardKey } from './standard.ts';

/** How a document is encrypted, and its content where a password fits. */

/** Office opens documents with this password without asking. */
export const defaultPassword = 'VelvetSweatshop';

export interface EncryptionInput {
  readonly bytes: Uint8Array;
  readonly passwords: readonly string[];
  readonly rounds: number;
  readonly tick: () => void;
}

/** The first password for which the work gives something. */
function tryPasswords<T>(
  collector: Collector,
  input: EncryptionInput,
  attempt: (password: string) => T | null | 'untried',
): { password: string; value: T } | null {
  const all = [...new Set([defaultPassword, ...input.passwords])].slice(0, 200);
  for (const password of all) {
    input.tick();
    const value = attempt(password.slice(0, 255));
    if (value === 'untried') {
      collector.note('not all passwords were tried: each takes too many rounds of hashing');
      return null;
    }
    if (value !== null) return { password, value };
  }
  return null;
}

function report(collector: Collector, method: string, password: string | null, child?: Uint8Array): void {
  collector.fact('encrypted', true);
  collector.fact('encryption_method', method);
  collector.finding(encryptedKind, { where: 'encryption header', text: method });
  const isDefault = password === defaultPassword;
  collector.fact('decrypted', password !== null);
  if (password === null || child === undefined) return;
  collector.fact('decrypted_with', isDefault ? 'default password' : 'given password');
  if (isDefault) collector.finding(defaultPasswordKind, { where: 'encryption header', text: method });
  collector.child(
    'decrypted-document',
    child,
    isDefault ? 'decrypted with the default password' : 'decrypted with a given password',
  );
}

/** The two streams in which OOXML documents are encrypted. */
function examinePackage(collector: Collector, file: CompoundFile, input: EncryptionInput): boolean {
  const infoEntry = file.find('EncryptionInfo');
  const contentEntry = file.find('EncryptedPackage');
  if (infoEntry === undefined) return false;
  const info = file.read(infoEntry);
  const content = contentEntry === undefined ? new Uint8Array() : file.read(contentEntry);
  const major = u16(info, 0);
  const minor = u16(info, 2);
  const budget = { left: input.rounds };
  if (major === 4 && minor === 4) {
    const agile = readAgile(xmlText(info.subarray(8)), input.tick);
    if (agile === null || !isAgileSupported(agile)) {
      collector.note('the description of the encryption cannot be read');
      report(collector, 'agile', null);
      return true;
    }
    const found = tryPasswords(collector, input, (password) => agileKey(agile, password, budget, input.tick));
    const method = `agile, AES-${agile.data.keyBits}, ${agile.password.hash}, ${agile.password.rounds} rounds`;
    report(
      collector,
      method,
      found?.password ?? null,
      found === null ? undefined : decryptAgile(agile, found.value, content, input.tick),
    );
    return true;
  }
  if (minor === 3) {
    report(collector, 'extensible', null);
    return true;
  }
  const header = readCryptoHeader(info, 8);
  if (!isStandardSupported(header)) {
    report(collector, aesAlgorithms.includes(header.algorithm) ? 'standard' : 'unknown', null);
    return true;
  }
  const found = tryPasswords(collector, input, (password) => standardKey(header, password, budget, input.tick));
  report(
    collector,
    `standard, AES-${header.keyBits}`,
    found?.password ?? null,
    found === null ? undefined : decryptStandard(found.value, content),
  );
  return true;
}

function legacyKeys(collector: Collector, legacy: LegacyInfo | null, input: EncryptionInput) {
  return legacy === null ? null : tryPasswords(collector, input, (password) => legacy.keys(password));
}

function examineExcel(collector: Collector, file: CompoundFile, input: EncryptionInput): boolean {
  const entry = file.find('Workbook') ?? file.find('Book');
  if (entry === undefined) return false;
  const stream = file.read(entry);
  const protection = workbookProtection(stream, input.tick);
  if (protection === null) return false;
  if (protection.type !== 1) {
    report(collector, 'XOR obfuscation', null);
    collector.note('XOR obfuscation of a workbook is not taken off');
    return true;
  }
  const legacy = readLegacy(protection.data, 2);
  const found = legacyKeys(collector, legacy, input);
  const child =
    found === null
      ? undefined
      : replaceStreams(input.bytes, file, new Map([[entry, decipherWorkbook(stream, found.value, input.tick)]]));
  report(collector, legacy?.method ?? 'unknown', found?.password ?? null, child);
  return true;
}

const wordBlockBytes = 512;
/** The head of a Word document stays readable. */
const wordHeadBytes = 68;

function examineWordStreams(collector: Collector, file: CompoundFile, input: EncryptionInput): boolean {
  const entry = file.find('WordDocument');
  if (entry === undefined) return false;
  const stream = file.read(entry);
  const header = wordHeader(stream);
  if (!header.isEncrypted) return false;
  if (header.isObfuscated) {
    report(collector, 'XOR obfuscation', null);
    collector.note('XOR obfuscation of a document is not taken off');
    return true;
  }
  const tableEntry = file.find(header.table);
  const table = tableEntry === undefined ? new Uint8Array() : file.read(tableEntry);
  const legacy = readLegacy(table, 0);
  const found = legacyKeys(collector, legacy, input);
  if (found === null || tableEntry === undefined) {
    report(collector, legacy?.method ?? 'unknown', null);
    return true;
  }
  const main = decipherBlocks(stream, wordBlockBytes, found.value, input.tick);
  main.set(stream.subarray(0, wordHeadBytes));
  main[11] = (main[11] ?? 0) & ~0x01;
  main.fill(0, 14, 18);
  const replaced = new Map([
    [entry, main],
    [tableEntry, decipherBlocks(table, wordBlockBytes, found.value, input.tick)],
  ]);
  const dataEntry = file.find('Data');
  if (dataEntry !== undefined)
    replaced.set(dataEntry, decipherBlocks(file.read(dataEntry), wordBlockBytes, found.value, input.tick));
  report(collector, legacy?.method ?? 'unknown', found.password, replaceStreams(input.bytes, file, replaced));
  return true;
}

function examinePowerPoint(collector: Collector, file: CompoundFile): boolean {
  const entry = file.find('Current User');
  if (entry === undefined || !isPowerPointEncrypted(file.read(entry))) return false;
  report(collector, 'RC4 CryptoAPI', null);
  collector.note('encryption of PowerPoint 97 documents is not taken off');
  return true;
}

export function examineEncryption(collector: Collector, file: CompoundFile, input: EncryptionInput): boolean {
  return (
    examinePackage(collector, file, input) ||
    examineExcel(collector, file, input) ||
    examineWordStreams(collector, file, input) ||
    examinePowerPoint(collector, file)
  );
}
