import type { Analyser, AnalyserInput, Json } from '../../contract.ts';
import { capped, type Draft, draftResult, excerpt, type FindingRule } from '../draft.ts';
import { readZip, type ZipEntry } from '../zip-reader.ts';
import { addCapabilities, javaCapabilities } from './capabilities.ts';
import { readClass } from './class-file.ts';

const limits = { manifest: 256 * 1024, entry: 8 * 1024 * 1024, all: 96 * 1024 * 1024, classes: 5000, listed: 200 };

const nestedRule: FindingRule = {
  rule: 'java.nested-file',
  title: 'Carries programs or archives inside',
  severity: 'low',
  evidenceType: 'artifact',
  benign: 'Programs that are one file carry their libraries; native parts are carried too.',
  attack: ['T1027.009'],
};
const shortNamesRule: FindingRule = {
  rule: 'java.short-names',
  title: 'Most classes have names of one or two letters',
  severity: 'low',
  evidenceType: 'structural',
  benign: 'Shrinking tools shorten names in most released programs.',
  attack: ['T1027'],
  mbc: ['E1027'],
};
const agentRule: FindingRule = {
  rule: 'java.agent',
  title: 'Can be loaded into running programs (Java agent)',
  severity: 'low',
  evidenceType: 'structural',
  benign: 'Profilers and monitoring are agents.',
  attack: ['T1055'],
};

/** Headers of the main section; long lines go on behind a blank. */
export function readManifest(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  const main = text.replaceAll(/\r\n?/g, '\n').replaceAll('\n ', '').split(/\n\n/)[0] ?? '';
  for (const line of main.split('\n').slice(0, 500)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

interface Totals {
  readonly versions: Set<number>;
  readonly names: string[];
  readonly strings: string[];
  left: number;
}

function readClasses(draft: Draft, entries: readonly ZipEntry[], totals: Totals, tick: () => void): void {
  let count = 0;
  for (const entry of entries) {
    tick();
    count += 1;
    if (count > limits.classes || totals.left <= 0) {
      draft.note(`${entries.length} classes, of which ${count - 1} were read`);
      break;
    }
    const { bytes, problem } = entry.read(Math.min(limits.entry, totals.left));
    totals.left -= bytes.length;
    if (problem !== undefined) draft.note(`a class could not be read: ${problem}`);
    const found = readClass(bytes, tick);
    if (found === undefined) continue;
    totals.versions.add(found.major);
    totals.names.push(found.name);
    if (totals.strings.length < 200_000) for (const text of found.strings) totals.strings.push(text);
    addCapabilities(draft, javaCapabilities, found.references, `class ${excerpt(found.name, 100)}`);
  }
}

const programs = /\.(?:jar|war|zip|exe|dll|so|dylib|jnilib|bat|cmd|ps1|vbs|js|sh|dex|apk)$/i;

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const zip = readZip(input.bytes, tick);
  for (const note of zip.notes) draft.note(note);
  const files = zip.entries.filter(({ directory }) => !directory);
  draft.fact('entries', files.length);
  const list = (key: string, values: readonly Json[]): void => {
    for (const [name, value] of Object.entries(capped(key, values, limits.listed))) draft.fact(name, value);
  };
  list(
    'files',
    files.map(({ name, size }) => ({ name: excerpt(name, 200), size })),
  );
  const manifestEntry = files.find(({ name }) => name.toUpperCase() === 'META-INF/MANIFEST.MF');
  const manifest = readManifest(
    manifestEntry === undefined ? '' : Buffer.from(manifestEntry.read(limits.manifest).bytes).toString('utf8'),
  );
  draft.fact(
    'manifest',
    Object.fromEntries([...manifest].slice(0, 60).map(([key, value]) => [excerpt(key, 80), excerpt(value)])),
  );
  const main = manifest.get('Main-Class');
  if (main !== undefined) draft.fact('main_class', excerpt(main, 200));
  const agent = manifest.get('Agent-Class') ?? manifest.get('Premain-Class');
  if (agent !== undefined) draft.finding(agentRule, 'manifest', agent);
  draft.fact(
    'signed',
    files.some(({ name }) => /^META-INF\/[^/]{1,80}\.(?:RSA|DSA|EC)$/i.test(name)),
  );
  const classes = files.filter(({ name }) => name.endsWith('.class') || name.endsWith('.class/'));
  const totals: Totals = { versions: new Set(), names: [], strings: [], left: limits.all };
  readClasses(draft, classes, totals, tick);
  draft.fact('classes', classes.length);
  draft.fact('class_versions', [...totals.versions].sort((left, right) => left - right).slice(0, 20));
  const short = totals.names.filter((name) => /^(?:[A-Za-z]{1,2}\.)*[A-Za-z]{1,2}$/.test(name));
  if (totals.names.length >= 10 && short.length > totals.names.length / 2)
    draft.finding(shortNamesRule, 'classes', short.slice(0, 20).join(' '));
  draft.text('strings of classes', totals.strings.join('\n'));
  draft.text('manifest', [...manifest.values()].join('\n'));
  for (const entry of files) {
    if (!programs.test(entry.name)) continue;
    draft.finding(nestedRule, 'entry', entry.name);
    const { bytes, problem } = entry.read(32 * 1024 * 1024);
    if (problem !== undefined) draft.note(`an embedded file could not be read whole: ${problem}`);
    draft.child(entry.name, bytes, 'entry of the archive');
  }
}

export const jar: Analyser = {
  id: 'jar',
  title: 'Java archive: manifest, classes, what they can do',
  version: 1,
  kinds: ['jar'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
