import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fuzzAnalyser, inputOf } from '../../../../../test/samples/lab/fuzz-analyser.ts';
import { plainLnk, trickLnk } from '../../../../../test/samples/lab/lnk/make-lnk.ts';
import type { AnalyserResult } from '../../contract.ts';
import { lnk } from './lnk.ts';

const analyse = (bytes: Uint8Array): AnalyserResult => lnk.analyse(inputOf(bytes, 'lnk')) as AnalyserResult;

describe('facts', () => {
  it('reads a plain shortcut', () => {
    const { facts, findings, notes } = analyse(plainLnk());
    expect(facts).toMatchObject({
      target: 'C:\\Tools\\editor.exe',
      show: 'normal',
      hotkey: 'Control+Alt+A',
      icon_index: 2,
      target_size: 4096,
      times: { written: '2024-01-17T21:20:00.000Z' },
      link_info: {
        local_path: 'C:\\Tools\\editor.exe',
        drive_type: 'fixed',
        volume_serial: 'DEADBEEF',
        volume_label: 'DISK',
      },
      strings: { relative_path: '.\\editor.exe' },
      extra: { tracker: { machine_id: 'workstation-7', droid: { mac: '02:00:5e:10:20:30' } } },
      appended_bytes: 0,
    });
    expect(facts.id_list).toMatchObject([
      { name: 'My Computer' },
      { type: 'volume', name: 'C:\\' },
      { type: 'file', name: 'editor.exe', size: 1234 },
    ]);
    expect(findings).toEqual([]);
    expect(notes).toEqual([]);
  });

  it('tells the tricks, and decodes the command', () => {
    const { facts, findings, texts, children } = analyse(trickLnk());
    expect(findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining([
        'lnk.target.interpreter',
        'lnk.arguments.padded',
        'lnk.icon.of-document',
        'lnk.window.minimised',
        'lnk.appended-data',
        'script.encoded-command',
      ]),
    );
    expect(texts.some(({ text }) => text === 'Write-Output "http://lnk.example.com/p"')).toBe(true);
    expect(children.find(({ name }) => name === 'appended')?.bytes.length).toBe(facts.appended_bytes);
    expect(facts.extra).toMatchObject({ environment: '%windir%\\System32\\cmd.exe' });
  });

  it('says that other files are none', () => {
    expect(analyse(Buffer.from('not a shortcut')).notes).toEqual(['not the header of a shortcut']);
  });
});

describe.skipIf(spawnSync('exiftool', ['-ver']).status !== 0)(
  'against exiftool (skipped where it is not installed)',
  () => {
    it.each([
      ['plain', plainLnk()],
      ['trick', trickLnk()],
    ])('%s', (_name, bytes) => {
      const folder = mkdtempSync(join(tmpdir(), 'lnk-'));
      writeFileSync(join(folder, 'in.lnk'), bytes);
      const [tags] = JSON.parse(
        execFileSync('exiftool', ['-j', join(folder, 'in.lnk')], { encoding: 'utf8' }),
      ) as Record<string, string>[];
      rmSync(folder, { recursive: true });
      const { facts } = analyse(bytes);
      const info = facts.link_info as Record<string, string>;
      expect(tags?.LocalBasePath).toBe(info.local_path);
      expect(tags?.DriveSerialNumber?.replace('-', '')).toBe(info.volume_serial);
      expect(tags?.TargetFileSize).toBe(facts.target_size);
      const strings = facts.strings as Record<string, string>;
      if (strings.arguments !== undefined) expect(tags?.CommandLineArguments?.trim()).toBe(strings.arguments);
      const extra = facts.extra as { tracker?: { machine_id: string } };
      if (extra.tracker !== undefined) expect(tags?.MachineID).toBe(extra.tracker.machine_id);
    });
  },
);

it('is not troubled by mutated samples', async () => {
  const samples = [plainLnk(), trickLnk()].map((bytes) => ({ bytes, kind: 'lnk' as const }));
  expect((await fuzzAnalyser(lnk, samples)).problems).toEqual([]);
});
