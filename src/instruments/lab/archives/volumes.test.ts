import { describe, expect, it } from 'vitest';
import { arrangeVolumes, firstVolumeName } from './volumes.ts';

const firstNames: readonly [name: string, first: string | null][] = [
  ['a.7z.001', null],
  ['a.7z.002', 'a.7z.001'],
  ['a.zip.010', 'a.zip.001'],
  ['a.z01', 'a.zip'],
  ['a.r00', 'a.rar'],
  ['a.part1.rar', null],
  ['a.part01.rar', null],
  ['a.part03.rar', 'a.part01.rar'],
  ['dir/a.part2.rar', 'a.part1.rar'],
  ['a.rar', null],
  ['a.zip', null],
  ['part2', null],
];

describe('volumes', () => {
  it.each(firstNames)('%s begins with %s', (name, first) => {
    expect(firstVolumeName(name)).toBe(first);
  });

  it('joins pieces in their order, whichever was asked for', () => {
    const piece = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
    const volumes = [piece('a.7z.003', 'three'), piece('a.7z.001', 'one'), piece('b.7z.002', 'other')];
    const [joined] = arrangeVolumes(new TextEncoder().encode('two'), 'a.7z.002', volumes);
    expect(new TextDecoder().decode(joined?.bytes)).toBe('onetwothree');
  });

  it('names a missing piece', () => {
    const bytes = new Uint8Array(1);
    expect(() => arrangeVolumes(bytes, 'a.7z.001', [{ name: 'a.7z.003', bytes }])).toThrow(/multi-volume/);
    expect(() => arrangeVolumes(bytes, 'a.part2.rar', [{ name: 'a.part3.rar', bytes }])).toThrow(/multi-volume/);
  });
});
