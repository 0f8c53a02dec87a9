import { UsageError } from '../../../base/errors.ts';
import type { GuardedServer } from '../../../instruments/guard/run/contract.ts';
import type { OpenHome } from './open-home.ts';
import type { OneServer } from './start-one.ts';
import type { RunWishes, Source } from './wishes.ts';

/** What is to be started: a command as it was typed, or one that was registered before. */

export interface OpenSource {
  readonly server: OneServer;
  /** Tells the registry that it runs, and takes other rules from there. */
  watch(server: GuardedServer): Promise<{ close(): Promise<void> } | null>;
}

async function openRegistered(
  { handle, argv }: Extract<Source, { is: 'registered' }>,
  home: OpenHome,
  wishes: RunWishes,
): Promise<OpenSource> {
  const [{ openRegistry, watchEgress }, store] = await Promise.all([
    import('../../../instruments/guard/registry/index.ts'),
    home.store(),
  ]);
  const registry = openRegistry(store);
  const { binary, args, serverId, isolationProfile } = registry.get(handle);
  if (argv.length > 0) {
    const [requestedBinary, ...requestedArgs] = argv;
    const { verdict, reason } = registry.audit(handle, { requestedBinary, requestedArgs });
    if (verdict !== 'approve') throw new UsageError(`the command is not the one that was registered: ${reason}`);
  }
  // A clock that was asked for is kept; that of a tier is meant for one analysis.
  const given = { policy: registry.policyOf(handle), isPreset: isolationProfile.cpuMs === undefined };
  return {
    server: {
      argv: [binary, ...args],
      name: wishes.name ?? serverId,
      given,
      needsNetwork: true,
      environment: wishes.environment,
    },
    watch: (server) =>
      watchEgress({
        store,
        handle,
        boxId: server.record.id,
        onRules: ({ rules, mode }) => server.applyEgress(rules, mode),
        attempts: () => server.egressAttempts,
      }),
  };
}

export async function openSource(
  source: Exclude<Source, { is: 'config' }>,
  home: OpenHome,
  wishes: RunWishes,
): Promise<OpenSource> {
  if (source.is === 'registered') return openRegistered(source, home, wishes);
  const server = { argv: source.argv, name: wishes.name, environment: wishes.environment };
  return { server, watch: async () => null };
}
