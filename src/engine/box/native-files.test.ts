import { describe, expect, it } from 'vitest';
import { HostError } from '../../base/errors.ts';
import { interpreter, nativeFile, needNativeFiles } from './native-files.ts';

describe('files that boxes need', () => {
  it('are there', () => {
    expect(() => needNativeFiles()).not.toThrow();
  });

  it.each([
    [[nativeFile('airlock'), '/nowhere/reaper.pl'], '/nowhere/reaper.pl'],
    [['/nowhere/launch.pl', interpreter], '/nowhere/launch.pl'],
  ])('are named where they are missing: %j', (paths, missing) => {
    expect(() => needNativeFiles(paths)).toThrow(HostError);
    expect(() => needNativeFiles(paths)).toThrow(missing);
  });
});
