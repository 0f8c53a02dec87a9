import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { networkLayers, type ProbeOptions } from '../../instruments/probe/options.ts';
import type { Caller } from './definitions.ts';
import type { LoadedSettings } from './load.ts';
import { type ProbeFlags, probeVariable } from './probe-flags.ts';

/** How probe is set up, from flags and from variables: `--scope` is `HOTCELL_PROBE_SCOPE`, and a flag wins. */

/** @throws UsageError */
export function readProbeOptions(flags: ProbeFlags, caller: Caller, settings: LoadedSettings): ProbeOptions {
  const { home, backend, runtimeFolder, dockerSocket } = settings.values;
  const read = (name: keyof ProbeFlags): string | null => {
    const text = flags[name] ?? caller.environment[probeVariable(name)];
    return text === undefined || text === '' ? null : text;
  };
  const layer = read('networkLayer') ?? 'gate';
  const networkLayer = networkLayers.find((each) => each === layer);
  if (networkLayer === undefined) {
    throw new UsageError(`--network-layer: expected gate or outside, not ${JSON.stringify(layer.slice(0, 100))}`);
  }
  const scope = read('scope');
  return {
    scopeFile: scope === null ? null : resolve(caller.folder, scope),
    networkLayer,
    environment: caller.environment,
    homeFolder: home,
    backend,
    runtimeFolder,
    dockerSocket,
  };
}
