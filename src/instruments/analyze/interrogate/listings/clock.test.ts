import { describe, expect, it } from 'vitest';
import { clockLibraries, clockVariableNames, clockVariables, libraryFolders } from './clock.ts';

const only =
  (name: string) =>
  (file: string): string | null =>
    file.includes(name) ? `/usr/lib/${file}` : null;

describe('clockVariables', () => {
  it.each([
    {
      library: 'datefudge',
      days: 30,
      variables: { LD_PRELOAD: '/usr/lib/datefudge/datefudge.so', DATEFUDGE: '-2592000' },
    },
    {
      library: 'datefudge',
      days: -1,
      variables: { LD_PRELOAD: '/usr/lib/datefudge/datefudge.so', DATEFUDGE: '86400' },
    },
    { library: 'faketime', days: 3, variables: { FAKETIME: '+3d', DONT_FAKE_MONOTONIC: '1' } },
    { library: 'faketime', days: -3, variables: { FAKETIME: '-3d' } },
  ])('moves the clock by $days days with $library', ({ library, days, variables }) => {
    const moved = clockVariables(days, only(library));
    expect(moved).toMatchObject({ is: 'yes', value: variables });
    const names = moved.is === 'yes' ? Object.keys(moved.value) : [];
    expect(clockVariableNames).toEqual(expect.arrayContaining(names));
  });

  it('takes the first library that is there', () => {
    const moved = clockVariables(1, (file) => `/usr/lib/${file}`);
    expect(moved).toMatchObject({ value: { LD_PRELOAD: `/usr/lib/${clockLibraries[0]?.file}` } });
  });

  it('says what is missing', () => {
    expect(clockVariables(3, () => null)).toEqual({
      is: 'not-available',
      because: 'no library that moves the clock of a program is installed',
      mend: 'apt-get install datefudge',
    });
  });

  it('needs no library to leave the clock alone', () => {
    expect(clockVariables(0, () => null)).toEqual({ is: 'yes', value: {} });
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 100_000])('does not move it by %s days', (days) => {
    expect(clockVariables(days, () => '/usr/lib/a.so').is).toBe('not-applicable');
  });

  it.each(['/usr/my lib/a.so', '/usr/a:b/a.so'])('does not hand the loader %j, which it would take apart', (path) => {
    expect(clockVariables(3, () => path).is).toBe('not-available');
  });

  it.each([
    { architecture: 'x64', first: '/usr/lib/x86_64-linux-gnu' },
    { architecture: 'arm64', first: '/usr/lib/aarch64-linux-gnu' },
    { architecture: 'riscv64', first: '/usr/lib64' },
  ])('looks in $first on $architecture', ({ architecture, first }) => {
    expect(libraryFolders(architecture)[0]).toBe(first);
  });
});
