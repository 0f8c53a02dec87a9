import { join } from 'node:path';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import type { GuardHome } from '../../../instruments/guard/run/session.ts';
import { ledgerOptions } from '../../settings/index.ts';
import type { Door } from '../definition.ts';

/** The ledger and the store of this user, opened while everything else is made ready. */

export interface OpenHome extends GuardHome, AsyncDisposable {
  close(): Promise<void>;
}

export function openHome({ settings }: Pick<Door, 'settings'>, onProblem: (problem: string) => void): OpenHome {
  const { home: folder, backend, runtimeFolder, dockerSocket } = settings.values;
  const ledger = import('../../../engine/ledger/index.ts').then(({ Ledger }) =>
    Ledger.open({ ...ledgerOptions(settings.values), onProblem }),
  );
  // Whoever needs it hears of a failure; until then it must not end the process.
  ledger.catch(() => undefined);
  let store: Promise<StoreHandle> | null = null;
  const openStore = (): Promise<StoreHandle> => {
    store ??= import('../../../engine/store/store.ts').then(({ Store }) =>
      Store.open(join(folder, 'guard', 'state.sqlite')),
    );
    return store;
  };
  const close = async (): Promise<void> => {
    const [openLedger, opened] = await Promise.allSettled([ledger, store]);
    if (opened.status === 'fulfilled') opened.value?.close();
    if (openLedger.status === 'fulfilled') await openLedger.value.close();
  };
  return {
    folder,
    box: { backend, runtimeFolder, dockerSocket },
    ledger,
    store: openStore,
    close,
    [Symbol.asyncDispose]: close,
  };
}
