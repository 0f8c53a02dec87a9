import { describe, expect, it } from 'vitest';
import { makePe } from '../../../../../test/samples/lab/general/make-programs.ts';
import { analysers } from '../index.ts';
import { runAnalysers } from './index.ts';

describe('runAnalysers', () => {
  it('runs what is in the list, in threads, on a program', async () => {
    const { kind, runs, skipped } = await runAnalysers({ bytes: makePe(), name: 'x.exe', depth: 'quick' });
    expect(kind.id).toBe('pe');
    expect(runs.find(({ analyser }) => analyser === 'identity')).toMatchObject({ status: 'done' });
    expect(runs.find(({ analyser }) => analyser === 'yara')).toMatchObject({ status: 'done' });
    expect(runs.filter(({ status }) => status === 'failed')).toEqual([]);
    const named = [...runs, ...skipped].map(({ analyser }) => analyser);
    expect(named.toSorted()).toEqual(analysers.map(({ id }) => id).toSorted());
  });

  it('knows each analyser by a name of its own', () => {
    expect(new Set(analysers.map(({ id }) => id)).size).toBe(analysers.length);
  });
});
