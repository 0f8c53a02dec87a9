import { describe, expect, it } from 'vitest';
import { makeTargetFolder } from '../target-folder.ts';
import { inspectCapabilitiesApart } from './apart.ts';

describe('capabilities in a process of their own', () => {
  it('are the same', async () => {
    using folder = makeTargetFolder({ 'index.js': "require('child_process').exec('ls');" });
    const { data } = await inspectCapabilitiesApart(folder);
    expect(data.capabilities.map(({ id }) => id)).toEqual(['process']);
  });

  it.each(['(', '<a>', 'new ', '['])('survive a target that nests %j', async (text) => {
    using folder = makeTargetFolder({ 'index.js': text.repeat(60_000), 'other.js': "require('fs').rmSync('x');" });
    const { findings, data } = await inspectCapabilitiesApart(folder);
    const isKnown = data.capabilities.some(({ id }) => id === 'file-write');
    expect(isKnown || findings.some(({ evidenceClass }) => evidenceClass === 'U')).toBe(true);
  });
});
