import type { DetectorContext } from '../../../evidence/detector.ts';
import { contactedHosts } from '../../../evidence/detectors/index.ts';
import type { Ingested } from '../../../targets/ingest/contract.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { declaredHosts } from '../judge/index.ts';
import type { AnalyzeContext } from './contract.ts';
import { eventsOf } from './run-events.ts';

/** What detectors may know about a target besides its events. */

function hostOf(url: string): readonly string[] {
  return URL.canParse(url) ? [new URL(url).hostname.toLowerCase()] : [];
}

export async function detectorContext(
  ingested: Ingested,
  { folders, home, installed, world, launch, listing, handshake, registryHosts }: Detonated,
  { wishes, folder }: Pick<AnalyzeContext, 'wishes' | 'folder'>,
): Promise<DetectorContext> {
  const argv = launch?.argv ?? [];
  const bait = (home?.variables ?? []).map(({ value }) => value);
  const given = [...argv, ...Object.values(launch?.environment ?? {}), ...wishes.args, ...bait];
  return {
    folders,
    ownFolders: [installed.folder, `${folders.home}/app`].filter((path) => path !== ''),
    declaredHosts: await declaredHosts({
      folder: ingested.folder,
      given,
      contacted: await contactedHosts(eventsOf(folder)),
      ...(listing === null ? {} : { listing }),
      ...(handshake?.instructions === undefined ? {} : { instructions: handshake.instructions }),
    }),
    registryHosts,
    trialHosts: [...new Set([world.domain, ...hostOf(world.url), ...hostOf(world.redirect?.url ?? '')])],
    givenPaths: [
      world.root,
      world.outsideFolder,
      world.temporary,
      ...(world.sibling === undefined ? [] : [world.sibling.path]),
    ],
    argv,
  };
}
