import type { Limits } from '../../base/policy-schema.ts';
import { runTool } from '../../base/process.ts';
import type { BoxDisk } from './disk/disk.ts';
import { measureTree } from './process-tree.ts';

/**
 * Keeps memory, process and disk limits where the user may not use control groups. It looks a few times a second: a
 * burst between two looks is seen late, and docs/threat-model.md says so.
 */

const periodMs = 200;
const looksPerDiskLook = 5;

export class Watchdog {
  readonly #timer: NodeJS.Timeout;
  #looks = 0;
  #isMeasuringDisk = false;
  peakResidentBytes = 0;

  constructor(root: number, limits: Limits, disk: BoxDisk, onHit: (limit: keyof Limits, detail: string) => void) {
    this.#timer = setInterval(() => {
      const use = measureTree(root);
      this.peakResidentBytes = Math.max(this.peakResidentBytes, use.residentBytes);
      if (use.residentBytes > limits.memoryBytes) onHit('memoryBytes', `${use.residentBytes} bytes resident`);
      if (use.threads > limits.processes) onHit('processes', `${use.threads} processes and threads`);
      this.#looks += 1;
      if (!disk.isLimited && this.#looks % looksPerDiskLook === 0) void this.#measureDisk(limits, disk, onHit);
    }, periodMs);
    this.#timer.unref();
  }

  async #measureDisk(
    limits: Limits,
    disk: BoxDisk,
    onHit: (limit: keyof Limits, detail: string) => void,
  ): Promise<void> {
    if (this.#isMeasuringDisk) return;
    this.#isMeasuringDisk = true;
    const { home, work, tmp } = disk.hostFolders;
    const { stdout } = await runTool('du', ['-s', '-x', '-B1', '-c', home, work, tmp], { timeoutMs: 10_000 });
    const total = Number(/^(\d+)\ttotal$/m.exec(stdout.toString('latin1'))?.[1] ?? 0);
    if (total > limits.diskBytes) onHit('diskBytes', `${total} bytes on its disk`);
    this.#isMeasuringDisk = false;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
