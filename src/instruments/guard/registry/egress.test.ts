import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { Store } from '../../../engine/store/index.ts';
import { runningGuards } from './documents.ts';
import { type EgressOrderDocument, type EgressWatch, openRegistry, type Registry, watchEgress } from './index.ts';
import { startTimeOf } from './process-identity.ts';

let folder = '';
let store: Store;
let other: Store;
let registry: Registry;
let handle = '';
const watches: EgressWatch[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-registry-'));
  store = Store.open(join(folder, 'state.sqlite'));
  // As another process has it.
  other = Store.open(join(folder, 'state.sqlite'));
  registry = openRegistry(store);
  handle = registry.register({ serverId: 'files', binary: 'node', args: [], trustTier: 'LOW' }).handle;
});
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.close()));
  store.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Box {
  readonly orders: EgressOrderDocument[];
  readonly attempts: { blocked: number; unlisted: number };
  readonly watch: EgressWatch;
}

async function openBox(boxId: string, answer: () => boolean = () => true): Promise<Box> {
  const orders: EgressOrderDocument[] = [];
  const attempts = { blocked: 0, unlisted: 0 };
  const watch = await watchEgress({
    store: other,
    handle,
    boxId,
    intervalMs: 20,
    attempts: () => attempts,
    onRules: (order) => {
      orders.push(order);
      return answer();
    },
  });
  watches.push(watch);
  return { orders, attempts, watch };
}

async function until<T>(look: () => T, fits: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 40_000;
  for (;;) {
    const value = look();
    if (fits(value) || Date.now() > deadline) return value;
    await new Promise((next) => setTimeout(next, 5));
  }
}

const heard = () => registry.egressOf(handle).running.map(({ guard }) => guard.egress);

describe('rules for a box that runs', () => {
  it('reach it, are answered, and hold for the one that starts later', async () => {
    const first = await openBox('one');
    expect(registry.egressOf(handle)).toMatchObject({ order: null, mode: 'default-deny', attempts: { blocked: 0 } });
    registry.injectEgress(handle, { allowlist: ['A.example:443', '.b.example:*'], mode: 'default-deny' });
    expect(await until(heard, ([egress]) => egress !== null)).toEqual([{ number: 1, isApplied: true, why: null }]);
    expect(first.orders.map(({ rules }) => rules)).toEqual([
      [
        { host: 'a.example', port: 443 },
        { host: '.b.example', port: '*' },
      ],
    ]);
    const second = await openBox('two');
    expect(second.orders.map(({ number }) => number)).toEqual([1]);
    expect(registry.policyOf(handle).network.rules).toHaveLength(2);
    registry.injectEgress(handle, { allowlist: [], mode: 'default-deny' });
    await until(heard, (all) => all.every((egress) => egress?.number === 2));
    expect([first, second].map(({ orders }) => orders.at(-1)?.rules)).toEqual([[], []]);
  });

  it('that cannot be put in force are told as such', async () => {
    await openBox('none', () => false);
    await openBox('broken', () => {
      throw new Error('the router process has ended');
    });
    registry.injectEgress(handle, { allowlist: ['*'], mode: 'audit-only' });
    const answers = await until(heard, (all) => all.every((egress) => egress !== null));
    expect(answers.toSorted((a, b) => (a?.why ?? '').localeCompare(b?.why ?? ''))).toEqual([
      { number: 1, isApplied: false, why: 'the box has no gate that could be told' },
      { number: 1, isApplied: false, why: 'the router process has ended' },
    ]);
  });

  it('that are no rules change nothing', () => {
    expect(() => registry.injectEgress(handle, { allowlist: ['a b'], mode: 'default-deny' })).toThrow(UsageError);
    expect(() => registry.injectEgress('sp_000000000000000000000000', { allowlist: [], mode: 'audit-only' })).toThrow(
      UsageError,
    );
    expect(registry.egressOf(handle).order).toBeNull();
  });

  it('have a mode that is as old as its last change, or as the registration', async () => {
    const { registeredAt } = registry.get(handle);
    expect(registry.egressOf(handle).modeSetAt).toBe(registeredAt);
    expect(registry.injectEgress(handle, { allowlist: [], mode: 'default-deny' }).modeSetAt).toBe(registeredAt);
    expect(registry.auditOnly()).toEqual([]);
    const { modeSetAt } = registry.injectEgress(handle, { allowlist: [], mode: 'audit-only' });
    await new Promise((next) => setTimeout(next, 2));
    expect(registry.injectEgress(handle, { allowlist: ['*'], mode: 'audit-only' }).modeSetAt).toBe(modeSetAt);
    expect(registry.auditOnly()).toEqual([{ handle, serverId: 'files', mode: 'audit-only', modeSetAt }]);
  });
});

describe('attempts', () => {
  it('are counted while boxes run and after they have ended, each once', async () => {
    const [one, two] = [await openBox('one'), await openBox('two')];
    one.attempts.blocked = 3;
    two.attempts.blocked = 4;
    two.attempts.unlisted = 1;
    const sum = () => registry.egressOf(handle).attempts;
    expect(await until(sum, ({ blocked }) => blocked === 7)).toEqual({ blocked: 7, unlisted: 1 });
    one.attempts.blocked = 5;
    await one.watch.close();
    await one.watch.close();
    expect(sum()).toEqual({ blocked: 9, unlisted: 1 });
    expect(registry.egressOf(handle).running.map(({ guard }) => guard.boxId)).toEqual(['two']);
  });
});

describe('a guard that has gone without a word', () => {
  const document = { handle: '', boxId: 'dead', startedAt: new Date().toISOString(), egress: null };

  it('is taken off the list by its number and its start, and what it counted stays', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const running = store.collection(runningGuards);
    const attempts = { blocked: 2, unlisted: 0 };
    running.put(`${handle}/dead`, { ...document, handle, pid, startTime: startTimeOf(pid), attempts });
    // The number is used again: the same one, started at another time.
    running.put(`${handle}/older`, { ...document, handle, pid: process.pid, startTime: '1', attempts });
    expect(registry.egressOf(handle).running.map(({ guard }) => guard.pid)).toEqual([pid]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(registry.egressOf(handle)).toMatchObject({ running: [], attempts: { blocked: 4 } });
    expect(running.list()).toEqual([]);
  });
});
