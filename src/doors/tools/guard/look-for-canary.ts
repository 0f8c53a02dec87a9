import { resolve } from 'node:path';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { StoreHandle } from '../../../engine/store/index.ts';
import {
  type CanaryLeak,
  describePlanting,
  type GuardCanaryWatch,
  issueCanary,
  listLeaks,
  openCanaryWatch,
} from '../../../instruments/guard/canaries/index.ts';
import type { CanaryPlace } from '../../../instruments/guard/contract.ts';
import type { ToolContext } from '../contract.ts';
import { openGuardStore } from './guard-store.ts';

export interface CanaryInput {
  readonly chainId: string;
  readonly sourceServerId: string;
  readonly downstreamServerIds: readonly string[];
  readonly canaryPattern?: string | undefined;
  readonly streams: readonly { readonly serverId: string; readonly channel: GivenChannel; readonly text: string }[];
  readonly files: readonly { readonly serverId: string; readonly path: string }[];
}

type GivenChannel = 'stdout' | 'stderr' | 'arguments' | 'network-egress' | 'fs-write';

/** The words of the caller for what guards call otherwise. */
const channels: Readonly<Record<GivenChannel, CanaryPlace['channel']>> = {
  stdout: 'results',
  stderr: 'stderr',
  arguments: 'arguments',
  'network-egress': 'network',
  'fs-write': 'files',
};

const show = (text: string): string => forTerminal(untrusted(text));

function showLeak({ foundIn, plantedIn, encoding, isDownstream, count, firstAt, lastAt }: CanaryLeak) {
  return {
    serverId: show(foundIn.server),
    channel: foundIn.channel,
    name: show(foundIn.name),
    plantedIn: show(describePlanting(plantedIn)),
    encoding,
    isDownstream,
    count,
    firstAt,
    lastAt,
  };
}

/** Whatever is found is written down like what guards find on their way. */
class Search {
  readonly #store: StoreHandle;
  readonly #watches = new Map<string, GuardCanaryWatch>();
  readonly problems: string[] = [];

  constructor(store: StoreHandle) {
    this.#store = store;
  }

  of(server: string): GuardCanaryWatch {
    const known = this.#watches.get(server);
    if (known !== undefined) return known;
    const onFailure = (why: string): void => void this.problems.push(why);
    const watch = openCanaryWatch({ store: this.#store, server, recorder: null, onFailure });
    this.#watches.set(server, watch);
    return watch;
  }
}

export async function lookForCanary(input: CanaryInput, { settings, folder, record, out }: ToolContext) {
  const { chainId, sourceServerId, downstreamServerIds, canaryPattern } = input;
  using store = openGuardStore(settings.values.home);
  const canary = issueCanary({
    store,
    chainId,
    source: sourceServerId,
    downstream: downstreamServerIds,
    ...(canaryPattern === undefined ? {} : { pattern: canaryPattern }),
  });
  const search = new Search(store);
  for (const { serverId, channel, text } of input.streams) {
    const place = { server: serverId, channel: channels[channel], name: `given ${channel}` };
    search.of(serverId).search(place, Buffer.from(text, 'utf8'));
  }
  let [searchedFiles, unsearchedFiles] = [0, 0];
  for (const { serverId, path } of input.files) {
    const found = await search.of(serverId).searchFiles([resolve(folder, path)]);
    searchedFiles += found.searchedFiles;
    unsearchedFiles += found.unsearched;
  }
  const leaks = listLeaks(store, chainId).filter((leak) => leak.canary === canary.id);
  const leakDetected = leaks.length > 0;
  await record({
    tool: 'track_canary',
    what: 'look for a canary',
    action: leakDetected ? 'canary.leak' : 'canary.track',
    verdict: leakDetected ? 'refused' : 'noted',
    server: sourceServerId,
    ...(leakDetected ? { rule: 'canaries/leaving' } : {}),
    details: {
      canary: canary.id,
      chain: chainId,
      downstream: [...downstreamServerIds],
      foundIn: leaks.slice(0, 20).map(({ foundIn, encoding }) => ({ ...foundIn, encoding })),
      leaks: leaks.length,
      searchedStreams: input.streams.length,
      searchedFiles,
      unsearchedFiles,
    },
  });
  out.say(`The canary ${canary.id} is ${canary.token}.`);
  out.say(leakDetected ? `It has turned up in ${leaks.length} ways: see leakLocations.` : 'It has not turned up.');
  if (unsearchedFiles > 0) out.say(`${unsearchedFiles} files or folders were not searched.`);
  for (const problem of search.problems) out.say(`Problem: ${problem}`);
  return {
    canaryToken: canary.token,
    canaryId: canary.id,
    leakDetected,
    leakLocations: leaks.slice(0, 20_000).map(showLeak),
    searchedFiles,
    unsearchedFiles,
  };
}
