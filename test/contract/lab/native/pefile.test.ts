import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peAnalyser } from '../../../../src/instruments/lab/analysers/pe/pe.ts';
import type { AnalyserResult } from '../../../../src/instruments/lab/contract.ts';
import { inputOf } from '../../../samples/lab/fuzz-analyser.ts';
import { type PeSampleName, peSamples } from '../../../samples/lab/pe/samples.ts';

/** The same facts, as an independent reader of the format sees them. */
const script = `
import json, sys, pefile
def see(path):
  pe = pefile.PE(path)
  strings = {}
  for group in getattr(pe, 'FileInfo', []) or []:
    for entry in group:
        for table in getattr(entry, 'StringTable', []):
            for key, value in table.entries.items(): strings[key.decode()] = value.decode()
  return {
  'imphash': pe.get_imphash(),
  'rich': pe.get_rich_header_hash() or '',
  'sections': [[s.Name.rstrip(b'\\0').decode('latin1'), s.Misc_VirtualSize, s.SizeOfRawData, s.get_entropy()] for s in pe.sections],
  'checksum': pe.generate_checksum(),
  'exports': [s.name.decode() for s in getattr(getattr(pe, 'DIRECTORY_ENTRY_EXPORT', None), 'symbols', [])],
  'strings': strings,
  'pdb': [e.entry.PdbFileName.rstrip(b'\\0').decode() for e in getattr(pe, 'DIRECTORY_ENTRY_DEBUG', []) if e.struct.Type == 2],
  'end': pe.get_overlay_data_start_offset(),
  }
print(json.dumps([see(path) for path in sys.argv[1:]]))`;

const python = ['/usr/bin/python3', 'python3'].find((one) => spawnSync(one, ['-c', 'import pefile']).status === 0);
const exiftool = spawnSync('exiftool', ['-ver']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'lab-pe-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = Object.keys(peSamples) as PeSampleName[];
const written = (name: PeSampleName): { readonly path: string; readonly bytes: Buffer } => {
  const bytes = peSamples[name]();
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { path, bytes };
};

type Theirs = Record<string, unknown> & { readonly sections: [string, number, number, number][] };

interface SeenSection {
  readonly name: string;
  readonly virtual_size: number;
  readonly raw_size: number;
  readonly entropy: number;
}

describe.skipIf(python === undefined)('PE beside pefile (skipped where python3-pefile is not installed)', () => {
  const seen = new Map<string, { readonly bytes: Buffer; readonly theirs: Theirs }>();

  beforeAll(() => {
    const files = names.map((name) => ({ name, ...written(name) }));
    const out = spawnSync(python ?? '', ['-c', script, ...files.map(({ path }) => path)], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(out.stderr).toBe('');
    const list = JSON.parse(out.stdout) as Theirs[];
    files.forEach(({ name, bytes }, index) => {
      const theirs = list[index];
      if (theirs !== undefined) seen.set(name, { bytes, theirs });
    });
  });

  it.each(names)('%s', (name) => {
    const { bytes, theirs } = seen.get(name) ?? expect.fail('not looked at');
    const { facts } = peAnalyser.analyse(inputOf(bytes, 'pe')) as AnalyserResult;
    expect(facts.imphash ?? '').toBe(theirs.imphash);
    expect((facts.rich_header as { hash?: string } | undefined)?.hash ?? '').toBe(theirs.rich);
    expect(Number((facts.checksum as { computed: string }).computed)).toBe(theirs.checksum);
    expect(facts.exports ?? []).toEqual(theirs.exports);
    expect(facts.version_info ?? {}).toEqual(theirs.strings);
    expect(facts.pdb_path === undefined ? [] : [facts.pdb_path]).toEqual(theirs.pdb);
    // Theirs counts the signature as appended data, ours does not.
    if (facts.is_signed !== true)
      expect((facts.overlay as { offset?: number } | undefined)?.offset ?? null).toBe(theirs.end);
    const sections = facts.sections as unknown as SeenSection[];
    expect(sections.map((one) => [one.name, one.virtual_size, one.raw_size])).toEqual(
      theirs.sections.map((one) => one.slice(0, 3)),
    );
    sections.forEach(({ entropy }, index) => {
      expect(entropy).toBeCloseTo(theirs.sections[index]?.[3] ?? -1, 3);
    });
  });
});

describe.skipIf(!exiftool)('PE beside exiftool (skipped where it is not installed)', () => {
  it('reads the same version information', () => {
    const { path, bytes } = written('pe64');
    const out = spawnSync('exiftool', ['-json', path], { encoding: 'utf8', timeout: 20_000 });
    const [theirs] = JSON.parse(out.stdout) as [Record<string, unknown>];
    const { facts } = peAnalyser.analyse(inputOf(bytes, 'pe')) as AnalyserResult;
    expect(theirs.CompanyName).toBe((facts.version_info as Record<string, string>).CompanyName);
    expect(theirs.FileVersionNumber).toBe((facts.fixed_file_info as Record<string, string>).file_version);
  });
});
