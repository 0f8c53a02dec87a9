import { fileURLToPath } from 'node:url';

/** The small programs that must run where no TypeScript can: between fork and exec, and after our own death. */

export const interpreter = '/usr/bin/perl';

export type NativeFile = 'airlock' | 'launch' | 'reaper';

export function nativeFile(name: NativeFile): string {
  return fileURLToPath(new URL(`../../../native/${name}.pl`, import.meta.url));
}
