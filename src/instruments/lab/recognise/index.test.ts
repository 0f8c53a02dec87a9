import { describe, expect, it } from 'vitest';
import { join, noise, raw } from '../../../../test/samples/lab/general/build.ts';
import { kindSamples } from '../../../../test/samples/lab/general/make-kinds.ts';
import { makePe } from '../../../../test/samples/lab/general/make-programs.ts';
import { makeZip } from '../../../../test/samples/lab/general/make-zip.ts';
import { kindIds } from '../kinds.ts';
import { recogniseKind } from './index.ts';

describe('recogniseKind', () => {
  it.each(kindSamples())('$kind: $label', ({ kind, bytes }) => {
    expect(recogniseKind(bytes, 'sample').id).toBe(kind);
  });

  it('is tried with every kind that there is', () => {
    const tried = new Set(kindSamples().map(({ kind }) => kind));
    expect(kindIds.filter((id) => !tried.has(id))).toEqual([]);
  });

  it.each(['x: PE32 foo.bin', 'a.exe', 'PE32 executable', 'x.docx'])('does not listen to the name %s', (name) => {
    const { nameMismatch: _, ...kind } = recogniseKind(raw('just some words\n'), name);
    expect(kind).toEqual({ id: 'text', title: 'text, ASCII', mime: 'text/plain' });
  });

  const mismatches: readonly (readonly [string, Uint8Array, string | undefined])[] = [
    ['invoice.pdf', makePe(), '.pdf (PDF document)'],
    ['tool.exe', makePe(), undefined],
    ['tool.EXE', makePe({ isDotnet: true }), undefined],
    ['report.docx', makeZip([{ name: 'a.txt' }]), '.docx (Microsoft Office document (OOXML))'],
    ['no ending', makePe(), undefined],
    ['odd.\u001b[31m', makePe(), undefined],
  ];
  it.each(mismatches)('compares the name %s with the content', (name, bytes, expected) => {
    expect(recogniseKind(bytes, name).nameMismatch).toBe(expected);
  });

  it('names what the same bytes are besides', () => {
    const zip = makeZip([{ name: 'a.txt' }]);
    expect(recogniseKind(join(makePe(), zip), 'x').also).toEqual(['zip']);
    expect(recogniseKind(join(raw('GIF89a%PDF-1.4\n'), noise(40)), 'x').also).toEqual(['pdf']);
    expect(recogniseKind(makePe(), 'x').also).toBeUndefined();
  });
});
