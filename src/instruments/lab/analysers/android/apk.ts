import type { Analyser, AnalyserInput, Json } from '../../contract.ts';
import { capped, type Draft, draftResult, excerpt } from '../draft.ts';
import { readZip, type ZipArchive, type ZipEntry } from '../zip-reader.ts';
import { readBinaryXml } from './binary-xml.ts';
import { addDex } from './dex.ts';
import { readDex } from './dex-file.ts';
import { addManifest } from './manifest.ts';
import { rules } from './rules.ts';
import { findCertificates, readSigningBlock } from './signing.ts';

const limits = {
  manifest: 4 * 1024 * 1024,
  dex: 32 * 1024 * 1024,
  dexes: 20,
  signature: 256 * 1024,
  children: 16 * 1024 * 1024,
};

function addSigning(draft: Draft, bytes: Uint8Array, zip: ZipArchive): void {
  const block = zip.directoryOffset === undefined ? undefined : readSigningBlock(bytes, zip.directoryOffset);
  const old = zip.entries.filter(({ name }) => /^META-INF\/[^/]{1,80}\.(?:RSA|DSA|EC)$/i.test(name));
  const schemes = [...(old.length > 0 ? ['v1'] : []), ...(block?.schemes ?? [])];
  const fromOld = old.slice(0, 4).flatMap((entry) => findCertificates(entry.read(limits.signature).bytes));
  const certificates = (block?.certificates.length ?? 0) > 0 ? (block?.certificates ?? []) : fromOld;
  draft.fact('signature_schemes', schemes);
  draft.fact('certificates', certificates);
  if (schemes.length === 0) draft.finding(rules.unsigned, 'archive', 'no signature of scheme 1, 2 or 3');
  const text = JSON.stringify(certificates);
  if (/CN=Android Debug/i.test(text)) draft.finding(rules.debugCertificate, 'certificate', text);
}

function addFiles(draft: Draft, files: readonly ZipEntry[], tick: () => void): void {
  const libraries = new Map<string, string[]>();
  for (const { name } of files) {
    const [, abi, library] = /^lib\/([^/]{1,40})\/([^/]{1,200}\.so)$/.exec(name) ?? [];
    if (abi !== undefined && library !== undefined && libraries.size < 40)
      libraries.set(abi, [...(libraries.get(abi) ?? []).slice(0, 99), library]);
  }
  draft.fact('native_libraries', Object.fromEntries(libraries));
  for (const entry of files) {
    tick();
    const library = /^lib\/.*\.so$/.test(entry.name);
    const expected = /^classes\d*\.dex$/.test(entry.name) || library;
    if (!library && !/^assets\/|^res\/raw\//.test(entry.name) && !/\.(?:apk|jar|dex|zip|so|elf)$/i.test(entry.name))
      continue;
    const head = Buffer.from(entry.read(64).bytes).toString('latin1');
    const code = /^dex\n|^\x7fELF|^PK\x03\x04|^MZ/.test(head);
    if (!code || /^classes\d*\.dex$/.test(entry.name)) continue;
    if (!expected) draft.finding(rules.hiddenCode, 'entry', `${entry.name}: ${JSON.stringify(head.slice(0, 4))}`);
    draft.child(entry.name, entry.read(limits.children).bytes, 'entry of the package');
  }
}

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const zip = readZip(input.bytes, tick);
  for (const note of zip.notes) draft.note(note);
  const files = zip.entries.filter(({ directory }) => !directory);
  draft.fact('entries', files.length);
  const list = capped(
    'files',
    files.map(({ name, size }): Json => ({ name: excerpt(name, 200), size })),
    100,
  );
  for (const [key, value] of Object.entries(list)) draft.fact(key, value);
  const manifest = files.find(({ name }) => name === 'AndroidManifest.xml');
  if (manifest === undefined) draft.note('the package has no manifest');
  else {
    const { bytes, problem } = manifest.read(limits.manifest);
    if (problem !== undefined) draft.note(`the manifest could not be read whole: ${problem}`);
    const { root, notes } = readBinaryXml(bytes, tick);
    for (const note of notes) draft.note(note);
    if (root !== undefined) addManifest(draft, root);
  }
  addSigning(draft, input.bytes, zip);
  addFiles(draft, files, tick);
  const dexes = files.filter(({ name }) => /^classes\d*\.dex$/.test(name));
  const facts: Json[] = [];
  for (const entry of dexes.slice(0, limits.dexes)) {
    tick();
    const { bytes, problem } = entry.read(limits.dex);
    if (problem !== undefined) draft.note(`code could not be read whole: ${problem}`);
    const dex = readDex(bytes, tick);
    if (dex !== undefined)
      facts.push({ name: excerpt(entry.name, 60), ...addDex(draft, dex, excerpt(entry.name, 60)) });
  }
  draft.fact('dex', facts);
}

export const apk: Analyser = {
  id: 'apk',
  title: 'Android package: manifest, signature, code',
  version: 1,
  kinds: ['apk'],
  depth: 'quick',
  timeoutMs: 30_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
