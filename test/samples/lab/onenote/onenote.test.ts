import { describe, expect, it } from 'vitest';
import { onenote } from '../../../../src/instruments/lab/analysers/onenote/onenote.ts';
import { analyseSample, rulesOf } from '../office/analyse-sample.ts';
import { survivesDamage } from '../office/fuzz.ts';
import { makeOneNote, makeScriptNote } from './make-onenote.ts';

describe('OneNote sections', () => {
  it('gives out the files, their names and the links', async () => {
    const result = await analyseSample(onenote, makeScriptNote());
    expect(result.facts).toMatchObject({
      format: 'section (.one)',
      file_names: ['Open.hta'],
      links: ['https://note.example.com/a'],
      embedded_file_count: 2,
      embedded_files: [
        { offset: 1226, bytes: 54, looks_like: 'HTML or script host file', is_whole: true },
        { offset: 1334, bytes: 10, looks_like: 'picture', is_whole: true },
      ],
    });
    expect(rulesOf(result)).toEqual(['onenote.embedded-file', 'onenote.embedded-program']);
    expect(result.children.map(({ name }) => name)).toEqual(['embedded-1.hta', 'embedded-2.png']);
    expect(Buffer.from(result.children[0]?.bytes ?? []).toString()).toContain('document.write');
    expect(result.notes).toEqual([]);
  });

  it('says nothing of a section without files', async () => {
    const result = await analyseSample(onenote, makeOneNote({ files: [], texts: ['setup.exe is what we install'] }));
    expect(result.findings).toEqual([]);
    expect(result.facts).toMatchObject({ embedded_file_count: 0 });
  });

  it('notes a file that is cut off', async () => {
    const whole = makeOneNote({ files: [Buffer.alloc(4000, 0x41)], texts: [] });
    const result = await analyseSample(onenote, whole.subarray(0, 3000));
    expect(result.notes).toHaveLength(1);
    expect(result.children[0]?.bytes.length).toBeGreaterThan(1000);
  });

  it('throw nothing when damaged', async () => {
    await survivesDamage(onenote, [makeScriptNote(), makeOneNote({ files: ['MZ', 'x'], texts: ['a.exe'] })]);
  }, 3_600_000);
});
