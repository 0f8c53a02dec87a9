import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { notAvailable, type Outcome, yes } from '../../../../base/outcome.ts';

/**
 * Moving the clock of one program and its children: a shared library that answers for the C library's clock, which a
 * variable asks the loader to load first. The host's clock, the monotonic clock, timers and times of files stay as they
 * are.
 */

export interface ClockLibrary {
  /** Debian package that brings it. */
  readonly package: string;
  /** Below a folder of libraries. */
  readonly file: string;
  readonly variables: (days: number) => Readonly<Record<string, string>>;
}

/** Full path of a library, or null. */
export type FindLibrary = (file: string) => string | null;

const daySeconds = 24 * 60 * 60;

/**
 * The first that is there is taken. datefudge moves three functions and nothing else. libfaketime, up to the version of
 * Debian 12, makes `time.sleep` of Python 3.11 and later fail while the monotonic clock is left alone, and hang when not.
 */
export const clockLibraries: readonly ClockLibrary[] = [
  {
    package: 'datefudge',
    file: 'datefudge/datefudge.so',
    // Its variable is what is taken away from the time.
    variables: (days) => ({ DATEFUDGE: String(-days * daySeconds) }),
  },
  {
    package: 'libfaketime',
    file: 'faketime/libfaketimeMT.so.1',
    variables: (days) => ({
      FAKETIME: `${days < 0 ? '-' : '+'}${Math.abs(days)}d`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
      NO_FAKE_STAT: '1',
    }),
  },
];

/** Every variable that `clockVariables` can give: what the policy of a cell has to let in. */
export const clockVariableNames: readonly string[] = [
  'LD_PRELOAD',
  ...clockLibraries.flatMap(({ variables }) => Object.keys(variables(1))),
];

const triples: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** Only folders of this processor: a library of another one keeps every program from starting quietly. */
export function libraryFolders(architecture: string = process.arch): readonly string[] {
  const triple = triples[architecture];
  return [...(triple === undefined ? [] : [`/usr/lib/${triple}`]), '/usr/lib64', '/usr/lib'];
}

export function findSystemLibrary(file: string): string | null {
  return (
    libraryFolders()
      .map((folder) => join(folder, file))
      .find((path) => existsSync(path)) ?? null
  );
}

const longestDays = 3650;

/** The variables that make a program see a clock that is so many days ahead. */
export function clockVariables(
  days: number,
  findLibrary: FindLibrary = findSystemLibrary,
): Outcome<Readonly<Record<string, string>>> {
  if (days === 0) return yes({});
  if (!Number.isInteger(days) || Math.abs(days) > longestDays) return { is: 'not-applicable' };
  for (const library of clockLibraries) {
    const path = findLibrary(library.file);
    // The loader splits its list at blanks and colons.
    if (path !== null && !/[\s:]/.test(path)) return yes({ LD_PRELOAD: path, ...library.variables(days) });
  }
  return notAvailable('no library that moves the clock of a program is installed', 'apt-get install datefudge');
}
