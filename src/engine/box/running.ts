import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../../base/policy-schema.ts';
import type { BoxCgroup } from './cgroup.ts';
import type { BoxProcess, ExitStatus, LimitHit } from './contract.ts';
import type { BoxDisk } from './disk/disk.ts';
import type { Launched } from './launched.ts';
import { OutputBudget } from './output-budget.ts';
import { Watchdog } from './watchdog.ts';

/** A target that has been let go, with everything that watches over its limits. */

const graceMs = 2000;
const memoryPeriodMs = 250;

export interface RunningOptions {
  readonly launched: Launched;
  readonly limits: Limits;
  readonly cgroup: BoxCgroup | null;
  readonly disk: BoxDisk;
  readonly signal: AbortSignal | undefined;
}

export class RunningProcess implements BoxProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ExitStatus>;
  readonly #options: RunningOptions;
  readonly #hits = new Map<keyof Limits, string>();
  readonly #startedAt = performance.now();
  #grace: NodeJS.Timeout | null = null;

  constructor(options: RunningOptions) {
    this.#options = options;
    const { launched, limits } = options;
    const budget = new OutputBudget(limits.outputBytes, () =>
      this.#stop('outputBytes', `more than ${limits.outputBytes} bytes of output`),
    );
    this.stdin = launched.stdin;
    this.stdout = launched.stdout.pipe(budget.meter());
    this.stderr = launched.stderr.pipe(budget.meter());
    this.exited = this.#watch(budget);
  }

  #stop(limit: keyof Limits, detail: string): void {
    if (!this.#hits.has(limit)) this.#hits.set(limit, detail);
    this.#options.launched.end();
  }

  async #watch(budget: OutputBudget): Promise<ExitStatus> {
    const { launched, limits, cgroup, disk, signal } = this.#options;
    const clock = setTimeout(() => this.#stop('wallMs', `still running after ${limits.wallMs} ms`), limits.wallMs);
    const onAbort = (): void => this.kill('SIGTERM');
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    const memoryWatch = cgroup === null ? null : setInterval(() => this.#endWhenOutOfMemory(cgroup), memoryPeriodMs);
    const watchdog =
      cgroup === null && launched.pid !== null
        ? new Watchdog(launched.pid, limits, disk, (limit, detail) => this.#stop(limit, detail))
        : null;
    try {
      const { code, signal: endedBy } = await launched.ended;
      this.#addKernelHits();
      for (const { limit, detail } of (await launched.limitsHit?.().catch(() => [])) ?? [])
        this.#hits.set(limit, detail);
      const limitsHit = [...this.#hits].map(([limit, detail]): LimitHit => ({ limit, detail }));
      return {
        code,
        signal: endedBy,
        wallMs: performance.now() - this.#startedAt,
        peakMemoryBytes: cgroup?.peakMemoryBytes() ?? (watchdog?.peakResidentBytes || null),
        limitsHit,
        droppedOutputBytes: budget.droppedBytes,
      };
    } finally {
      clearTimeout(clock);
      if (memoryWatch !== null) clearInterval(memoryWatch);
      if (this.#grace !== null) clearTimeout(this.#grace);
      watchdog?.close();
      signal?.removeEventListener('abort', onAbort);
      // Whatever still holds our pipes open is not to keep us waiting.
      launched.end();
    }
  }

  /** The kernel may end one process and let the others go on eating; a box is ended as a whole. */
  #endWhenOutOfMemory(cgroup: BoxCgroup): void {
    const kills = cgroup.outOfMemoryKills();
    if (kills > 0) this.#stop('memoryBytes', `the kernel ended ${kills} processes for want of memory`);
  }

  #addKernelHits(): void {
    const { cgroup, disk, limits } = this.#options;
    const kills = cgroup?.outOfMemoryKills() ?? 0;
    if (kills > 0) this.#hits.set('memoryBytes', `the kernel ended ${kills} processes at ${limits.memoryBytes} bytes`);
    const forks = cgroup?.refusedForks() ?? 0;
    if (forks > 0) this.#hits.set('processes', `${forks} forks refused at ${limits.processes} processes`);
    if (disk.isFull()) this.#hits.set('diskBytes', `the disk of ${limits.diskBytes} bytes is full`);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    const { launched } = this.#options;
    if (signal === 'SIGKILL') {
      launched.end();
      return;
    }
    launched.signal(signal);
    this.#grace ??= setTimeout(() => launched.end(), graceMs);
  }
}
