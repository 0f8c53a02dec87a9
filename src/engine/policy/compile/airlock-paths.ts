import type { FileRule } from '../../../base/policy-schema.ts';
import type { Place } from './place.ts';

/** What the airlock's interpreter needs on the disk, by architecture. */
const libraries = {
  x64: ['/usr/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu', '/lib64/ld-linux-x86-64.so.2'],
  arm64: ['/usr/lib/aarch64-linux-gnu', '/lib/aarch64-linux-gnu', '/lib/ld-linux-aarch64.so.1'],
} as const;

export function airlockPaths(place: Pick<Place, 'airlock' | 'architecture'>): readonly string[] {
  return [place.airlock.interpreter, ...libraries[place.architecture]];
}

/** Rules that a box needs for its own sake when the policy does not let the airlock's interpreter run. */
export function airlockRules(place: Pick<Place, 'airlock' | 'architecture'>): readonly FileRule[] {
  return airlockPaths(place).map((path) => ({ path, access: 'execute', why: 'the airlock runs before the target' }));
}
