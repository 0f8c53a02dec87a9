import { UsageError } from '../../../base/errors.ts';
import type { Backups } from '../../../instruments/guard/protect/index.ts';
import { clientPlaces } from '../../../targets/ingest/client-config/clients.ts';
import type { FoundConfig, Platform } from '../../../targets/ingest/client-config/contract.ts';
import { findClientConfigs, type Machine } from '../../../targets/ingest/client-config/find.ts';
import { clientOf } from '../../../targets/ingest/client-config/read.ts';
import type { Door } from '../definition.ts';
import { givenFiles, type ProtectWishes } from './wishes.ts';

/** Which files a command is about. */

export interface ChosenFiles {
  readonly files: readonly { readonly client: string; readonly path: string }[];
  /** Files that are there and are left alone, and why. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

const notOurs: Readonly<Partial<Record<FoundConfig['scope'], string>>> = {
  managed: 'it is for the administrator of this machine; --file names it',
  plugin: 'it belongs to a plugin, whose next update writes it anew; --file names it',
};

function machineOf({ caller }: Door, platform: string): Machine {
  const known = (['linux', 'darwin', 'win32'] as const).find((one) => one === platform);
  const { APPDATA } = caller.environment;
  return {
    home: caller.homeFolder,
    cwd: caller.folder,
    platform: known ?? ('linux' satisfies Platform),
    ...(APPDATA === undefined ? {} : { applicationData: APPDATA }),
  };
}

function readClients({ client, file }: ProtectWishes): readonly string[] | 'all' {
  const names = client.flatMap((text) => text.split(',')).map((name) => name.trim());
  const known = [...new Set(clientPlaces.map((place) => place.client))];
  const strange = names.find((name) => name !== 'all' && !known.includes(name));
  if (strange !== undefined) {
    throw new UsageError(`--client ${strange}: not known`, { hint: `known are all, ${known.join(', ')}` });
  }
  if (names.includes('all')) return 'all';
  return names.length === 0 && file.length === 0 ? 'all' : names;
}

export async function chooseFiles(wishes: ProtectWishes, door: Door, backups: Backups): Promise<ChosenFiles> {
  const clients = readClients(wishes);
  const isWanted = (client: string): boolean => clients === 'all' || clients.includes(client);
  const given = givenFiles(wishes, door).map((path) => ({ client: clientOf(path), path }));
  const found = findClientConfigs(machineOf(door, process.platform)).filter(({ client }) => isWanted(client));
  // What was changed before is found again, wherever it lies.
  const changed = wishes.undo && clients === 'all' ? await backups.list() : [];
  const known = changed
    .filter(({ undoneAt }) => undoneAt === null)
    .map(({ path }) => ({ client: clientOf(path), path }));
  const own = found.filter(({ scope }) => notOurs[scope] === undefined || wishes.undo);
  const skipped = found.flatMap(({ path, scope }) => {
    const why = notOurs[scope];
    return why === undefined || own.some((one) => one.path === path) ? [] : [{ path, why }];
  });
  const all = [...given, ...own.map(({ client, path }) => ({ client, path })), ...known];
  const files = all.filter(({ path }, index) => all.findIndex((one) => one.path === path) === index);
  return { files, skipped };
}
