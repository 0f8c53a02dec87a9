import { describe, expect, it } from 'vitest';
import { limitTelling } from './limited-tell.ts';

describe('limitTelling', () => {
  it('tells so many lines in a while, and then how many it left out', () => {
    const told: string[] = [];
    let now = 0;
    const tell = limitTelling(
      (line) => told.push(line),
      { lines: 2, perMs: 100 },
      () => now,
    );
    for (const line of ['a', 'b', 'c', 'd']) tell(line);
    now = 100;
    tell('e');
    tell('f');
    expect(told).toEqual(['a', 'b', 'e (2 lines before it were left out)', 'f']);
  });

  it('shows nothing that could steer a terminal, and nothing without end', () => {
    const told: string[] = [];
    limitTelling((line) => told.push(line))(`\x1b[2Jx\n${'y'.repeat(10_000)}`);
    expect(told[0]).toMatch(/^\\x1b\[2Jx\\x0ay+ \[…\d+ bytes more\]$/);
  });
});
