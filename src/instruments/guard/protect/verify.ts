import { UsageError } from '../../../base/errors.ts';
import { asArray, isObject } from '../../../base/json-shape.ts';
import type { Keys } from './contract.ts';
import { showKeys } from './text/index.ts';

/** What a change of a text must not change: everything that was not named. */

const deepest = 200;

function describe(value: unknown): string {
  return `${typeof value}:${String(value)}`;
}

function compare(before: unknown, after: unknown, keys: Keys, touched: ReadonlySet<string>): void {
  if (touched.has(JSON.stringify(keys.map(String)))) return;
  if (keys.length > deepest) throw new UsageError('the file is nested too deeply');
  const differ = (): never => {
    throw new UsageError(`${showKeys(keys) || 'the file'} would change too`);
  };
  if (Array.isArray(before) || Array.isArray(after)) {
    if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) differ();
    for (const [index, item] of asArray(before).entries())
      compare(item, asArray(after)[index], [...keys, index], touched);
    return;
  }
  if (isObject(before) && isObject(after) && !(before instanceof Date)) {
    const isNew = (key: string): boolean => touched.has(JSON.stringify([...keys, key].map(String)));
    const names = Object.keys(before).filter((key) => !isNew(key));
    const others = Object.keys(after).filter((key) => !isNew(key));
    if (names.length !== others.length || names.some((name, index) => name !== others[index])) differ();
    for (const name of names) compare(before[name], after[name], [...keys, name], touched);
    return;
  }
  if (describe(before) !== describe(after)) differ();
}

/** @throws UsageError that names what would change although nobody asked for it. */
export function compareExcept(before: unknown, after: unknown, touched: readonly Keys[]): void {
  compare(before, after, [], new Set(touched.map((keys) => JSON.stringify(keys.map(String)))));
}
