export type { Collection, CollectionDefinition, StoredDocument, StoreHandle } from './contract.ts';
export { storeLimits } from './limits.ts';
export { Store } from './store.ts';
