import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from '../../../engine/store/index.ts';

export function storeFile(home: string): string {
  return join(home, 'guard', 'state.sqlite');
}

export function openGuardStore(home: string): Store {
  return Store.open(storeFile(home));
}

/** Null where nothing was ever kept: who only reads makes no file. */
export function openGuardStoreIfThere(home: string): Store | null {
  return existsSync(storeFile(home)) ? openGuardStore(home) : null;
}
