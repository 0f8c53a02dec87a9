import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Store } from '../../../engine/store/index.ts';
import { openAsks } from './asks.ts';

it('asks are noted, allowed once or for ever, and taken back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asks-'));
  const [ours, theirs] = [1, 2].map(() => Store.open(join(folder, 'state.sqlite'))) as [Store, Store];
  try {
    const [guard, person] = [openAsks(ours), openAsks(theirs)];
    expect(guard.take('a', 'delete')).toBe(false);
    expect(guard.take('a', 'delete')).toBe(false);
    expect(person.list('a')).toMatchObject([{ tool: 'delete', waiting: 2, allowed: 0 }]);
    person.allow('a', 'delete', 1);
    expect([guard, guard].map((asks) => asks.take('a', 'delete'))).toEqual([true, false]);
    person.allow('a', 'delete', 'always');
    expect([guard, guard].map((asks) => asks.take('a', 'delete'))).toEqual([true, true]);
    expect(guard.take('b', 'delete')).toBe(false);
    // A single yes does not take back one for ever.
    expect(person.allow('a', 'delete', 1)).toMatchObject({ allowed: 'always' });
    expect(person.forget('a', 'delete')).toBe(true);
    expect(guard.take('a', 'delete')).toBe(false);
    expect(person.list()).toHaveLength(2);
  } finally {
    ours.close();
    theirs.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
