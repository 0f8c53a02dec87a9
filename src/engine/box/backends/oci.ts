import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from '../../../base/policy-schema.ts';
import { mountPoints } from '../../policy/compile/mount-points.ts';
import { compileMounts } from '../../policy/compile/mounts.ts';
import { compileOci } from '../../policy/compile/oci.ts';
import { airlockTarget } from '../../policy/compile/place.ts';
import type { Gap } from '../../policy/gap.ts';
import type { Foundation } from '../foundation.ts';
import { interpreter } from '../native-files.ts';
import { makeMountPoints } from '../root-folder.ts';

/** Bundles for OCI runtimes: one per spawn, since each has a control group of its own. */

export interface Bundles {
  readonly gaps: readonly Gap[];
  /** Folder in which the runtime keeps its state; it goes with the box. */
  readonly stateFolder: string;
  write(number: number, cgroupsPath: string | null): string;
}

export function prepareBundles(policy: Policy, foundation: Foundation, runtime: 'runc' | 'gvisor'): Bundles {
  const { folder, place, network } = foundation;
  makeMountPoints(mountPoints(compileMounts(policy, place).value, place.rootFolder));
  const { value: config, gaps } = compileOci(policy, place, {
    runtime,
    args: [interpreter, airlockTarget],
    cwd: '/',
    network,
  });
  const stateFolder = join(folder, 'runtime');
  mkdirSync(stateFolder, { mode: 0o700 });
  return {
    gaps,
    stateFolder,
    write(number, cgroupsPath) {
      const bundle = join(folder, `bundle-${number}`);
      mkdirSync(bundle, { mode: 0o755 });
      const linux = cgroupsPath === null ? config.linux : { ...config.linux, cgroupsPath };
      writeFileSync(join(bundle, 'config.json'), JSON.stringify({ ...config, linux }));
      return bundle;
    },
  };
}
