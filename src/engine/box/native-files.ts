import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeError, HostError } from '../../base/errors.ts';

/** The small programs that must run where no TypeScript can: between fork and exec, and after our own death. */

export const interpreter = '/usr/bin/perl';

const nativeFiles = ['airlock', 'launch', 'reaper'] as const;

export type NativeFile = (typeof nativeFiles)[number];

export function nativeFile(name: NativeFile): string {
  return fileURLToPath(new URL(`../../../native/${name}.pl`, import.meta.url));
}

/**
 * What undoes a box has to be there before anything is made that has to be undone.
 * @throws HostError that names what is missing.
 */
export function needNativeFiles(paths: readonly string[] = [interpreter, ...nativeFiles.map(nativeFile)]): void {
  for (const path of paths) {
    try {
      accessSync(path, constants.R_OK);
    } catch (cause) {
      throw new HostError(`a file that boxes need cannot be read: ${describeError(cause)}`, {
        hint: path === interpreter ? 'install the package perl-base' : 'install Hotcell again',
        cause,
      });
    }
  }
}
