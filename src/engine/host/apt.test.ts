import { describe, expect, it } from 'vitest';
import { parseCandidates, planInstall } from './apt.ts';

describe('planInstall', () => {
  it('names each package once, sorted, so that the command shown is the command run', () => {
    expect(planInstall(['runsc', 'bubblewrap', 'runsc']).commands).toEqual([
      ['apt-get', 'update'],
      ['apt-get', 'install', '--yes', '--no-install-recommends', 'bubblewrap', 'runsc'],
    ]);
  });

  it('is empty when nothing is missing', () => {
    expect(planInstall([])).toEqual({ packages: [], commands: [] });
  });
});

describe('parseCandidates', () => {
  it('takes packages with something to install and leaves those without', () => {
    const text = [
      'runc:',
      '  Installed: (none)',
      '  Candidate: 1.1.5+ds1-1+deb12u1',
      '  Version table:',
      'gone:',
      '  Installed: (none)',
      '  Candidate: (none)',
      'strace:',
      '  Installed: 6.1-0.1',
      '  Candidate: 6.1-0.1',
      '',
    ].join('\n');
    expect(parseCandidates(text)).toEqual(['runc', 'strace']);
  });

  it('finds nothing in nothing', () => {
    expect(parseCandidates('')).toEqual([]);
  });
});
