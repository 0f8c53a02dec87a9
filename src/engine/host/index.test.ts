import { describe, expect, it } from 'vitest';
import { hostProbes, hostTools } from './index.ts';

describe('host probes', () => {
  it('have ids of their own', () => {
    expect(new Set(hostProbes.map((probe) => probe.id)).size).toBe(hostProbes.length);
  });

  it.each(hostProbes.map((probe) => [probe.id, probe] as const))(
    '%s answers on this machine, with a reason when not',
    async (_, probe) => {
      const outcome = await probe.ask();
      if (outcome.is === 'yes') expect(outcome.value.summary).not.toBe('');
      else if (outcome.is === 'not-available') expect(outcome.because).not.toBe('');
      else expect(outcome.is).toBe('not-applicable');
    },
  );
});

describe('host tools', () => {
  it('have names of their own and a package each', () => {
    expect(new Set(hostTools.map((tool) => tool.id)).size).toBe(hostTools.length);
    for (const tool of hostTools) expect(tool.package).toMatch(/^[a-z0-9][a-z0-9.+-]+$/);
  });
});
