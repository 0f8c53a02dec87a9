import { UsageError } from '../../../base/errors.ts';
import type { StoreHandle } from '../../../engine/store/index.ts';
import { auditSubprocess } from './audit.ts';
import type { EgressState, Registered, Registry } from './contract.ts';
import { type EgressOrderDocument, egressOrders, type SubprocessDocument, subprocesses } from './documents.ts';
import { readAllowlist } from './isolation-profile.ts';
import { makeRegistered } from './register.ts';
import { listRunning, sumAttempts } from './running.ts';

export const handlePattern = /^sp_[0-9a-f]{24}$/;

export function openRegistry(store: StoreHandle): Registry {
  const registered = store.collection(subprocesses);
  const orders = store.collection(egressOrders);

  const get = (handle: string): SubprocessDocument => {
    const found = handlePattern.test(handle) ? registered.get(handle) : null;
    if (found !== null) return found.value;
    throw new UsageError(`no subprocess is registered as ${JSON.stringify(handle.slice(0, 40))}`, {
      hint: 'register_subprocess gives a handle',
    });
  };

  const keep = ({ handle, subprocess }: Registered): void => void registered.put(handle, subprocess);

  return {
    get,
    prepare: makeRegistered,
    keep,
    register(request) {
      const made = makeRegistered(request);
      keep(made);
      return made;
    },
    list: () => registered.list().map(({ key, value }) => ({ handle: key, subprocess: value })),
    policyOf(handle) {
      const { policy } = get(handle);
      const rules = orders.get(handle)?.value.rules;
      return rules === undefined ? policy : { ...policy, network: { mode: 'allowlist', rules } };
    },
    audit: (handle, request) => auditSubprocess(get(handle), request),
    injectEgress(handle, { allowlist, mode }) {
      const { registeredAt } = get(handle);
      const rules = [...readAllowlist(allowlist)];
      const setAt = new Date().toISOString();
      const order = orders.change(handle, (before): EgressOrderDocument => {
        const since = before === null ? { mode: 'default-deny', modeSetAt: registeredAt } : before;
        return {
          number: (before?.number ?? 0) + 1,
          allowlist: [...allowlist],
          rules,
          mode,
          setAt,
          modeSetAt: since.mode === mode ? since.modeSetAt : setAt,
        };
      });
      if (order === null) throw new TypeError('an order that was written is not there');
      return order.value;
    },
    egressOf(handle): EgressState {
      const { registeredAt } = get(handle);
      const order = orders.get(handle)?.value ?? null;
      const running = listRunning(store, handle);
      return {
        order,
        mode: order?.mode ?? 'default-deny',
        // Nobody has changed the mode: it is as old as the registration.
        modeSetAt: order?.modeSetAt ?? registeredAt,
        running,
        attempts: sumAttempts(store, handle, running),
      };
    },
    auditOnly: () =>
      orders.list().flatMap(({ key, value: { mode, modeSetAt } }) => {
        const serverId = mode === 'audit-only' ? registered.get(key)?.value.serverId : undefined;
        return serverId === undefined ? [] : [{ handle: key, serverId, mode, modeSetAt }];
      }),
  };
}
