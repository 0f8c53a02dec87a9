import { access } from 'node:fs/promises';
import { notAvailable, type Outcome, yes } from '../../../base/outcome.ts';
import { findTool } from '../../host/index.ts';

/** Whether this machine can have the witness: root, bpftrace, and a kernel that describes itself. */

const kernelTypes = '/sys/kernel/btf/vmlinux';
/** Where tracepoints are; empty until somebody mounts it, which the witness does for itself alone. */
export const tracingFolder = '/sys/kernel/tracing';

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The path of bpftrace. */
export async function probeEbpf(): Promise<Outcome<string>> {
  if (process.geteuid?.() !== 0) return notAvailable('only root may look into the kernel', 'run Hotcell as root');
  const tool = await findTool('bpftrace');
  if (tool === null) return notAvailable('bpftrace is not installed', 'apt-get install bpftrace');
  if (!(await isThere(kernelTypes))) return notAvailable(`the kernel does not describe its types (${kernelTypes})`);
  if (!(await isThere(tracingFolder))) return notAvailable(`the kernel has no tracepoints (${tracingFolder})`);
  return yes(tool);
}
