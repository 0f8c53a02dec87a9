import { isObject, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Siblings } from '../reader.ts';

/** The package.json beside a lock file says what the project itself asked for; without it every entry counts as asked for. */
export function manifestBeside(siblings: Siblings): JsonObject | undefined {
  const text = siblings('package.json');
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
