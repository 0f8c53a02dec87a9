import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BackendId } from '../../../src/engine/box/index.ts';
import { preparedFolder, readSampleServers, type SampleServer } from '../../samples/servers/sample-servers.ts';
import { Arena } from '../box/arena.ts';
import { analyseSample, namedBy, type SampleRun, shown } from './sample-run.ts';

/** Every hostile sample is named for what it is, nothing is said of its honest twin, and nothing of either is left. */

const atATime = 2;
/** That a run comes to its end; how long it takes is for the benchmark, where nothing else runs. */
const longestSeconds = 180;
const samples = readSampleServers();
const unlimited = 20 * 60_000;

/** Runs go on two at a time while tests ask for their results one after the other. */
class Runs {
  readonly arena = new Arena();
  readonly #folder = mkdtempSync('/tmp/hotcell-samples-run-');
  readonly #results = new Map<string, PromiseWithResolvers<SampleRun>>();
  readonly #boxes = new Set<string>();
  readonly #runs = new Set<string>();
  #working: Promise<unknown> = Promise.resolve();

  start(chosen: readonly SampleServer[], backend: BackendId): void {
    for (const { id } of chosen) {
      const result = Promise.withResolvers<SampleRun>();
      // Whoever asks for it hears of the failure.
      result.promise.catch(() => undefined);
      this.#results.set(id, result);
    }
    // What takes long begins first.
    const waiting = chosen.toSorted((one, other) => one.answers.length - other.answers.length);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await this.#run(next, backend);
    };
    this.#working = Promise.all(Array.from({ length: atATime }, work));
  }

  async #run(sample: SampleServer, backend: BackendId): Promise<void> {
    const { runtimeFolder } = this.arena;
    const watch = setInterval(() => this.#noteBoxes(), 200);
    const result = this.#results.get(sample.id);
    try {
      const run = await analyseSample(sample, { backend, runtimeFolder, folder: this.#folder });
      this.#runs.add(run.analysis.run);
      result?.resolve(run);
    } catch (error) {
      result?.reject(error);
    } finally {
      clearInterval(watch);
      rmSync(join(this.#folder, sample.id), { recursive: true, force: true });
    }
  }

  #noteBoxes(): void {
    const folder = join(this.arena.runtimeFolder, 'boxes');
    for (const id of existsSync(folder) ? readdirSync(folder) : []) this.#boxes.add(id);
  }

  of({ id }: SampleServer): Promise<SampleRun> {
    return this.#results.get(id)?.promise ?? Promise.reject(new Error(`${id} was not run`));
  }

  /** Folders, mounts, groups, processes and networks that are still there when all is done. */
  async leftovers(): Promise<{ readonly seen: number; readonly left: readonly string[] }> {
    await this.#working;
    const networks = existsSync('/run/netns') ? readdirSync('/run/netns') : [];
    const left = networks.filter((name) => [...this.#runs].some((run) => name.includes(run)));
    return { seen: this.#boxes.size, left: [...left, ...this.arena.leftovers([...this.#boxes])] };
  }

  async close(): Promise<void> {
    await this.#working;
    await this.arena.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function describeBackend(backend: BackendId, chosen: readonly SampleServer[]): void {
  describe(`${backend}: a sample server that is analysed`, () => {
    const runs = new Runs();
    beforeAll(() => runs.start(chosen, backend));
    beforeEach((context) => runs.arena.need(backend, context));
    afterAll(() => runs.close(), unlimited);

    it.each(chosen)(
      '$id',
      async (sample) => {
        const { findings, analysis, seconds } = await runs.of(sample);
        const { start, verdict } = analysis;
        expect(seconds).toBeLessThan(longestSeconds);
        expect(start.isStarted).toBe(sample.answers.includes('initialize'));
        if (sample.role === 'honest') {
          expect(shown(findings.filter(({ severity }) => severity === 'high' || severity === 'critical'))).toEqual([]);
          // Silence counts only where everything was seen.
          expect({ isComplete: verdict.isComplete, missing: verdict.coverage.missing }).toMatchObject({
            isComplete: true,
          });
        } else if (sample.named?.length === 0) {
          expect(verdict).toMatchObject({
            isComplete: false,
            band: 'unknown',
            axes: { hostility: { label: 'inconclusive' } },
          });
        } else {
          expect(namedBy(sample, findings), `${sample.expects}\n${shown(findings).join('\n')}`).not.toEqual([]);
        }
      },
      unlimited,
    );

    it(
      'leaves nothing running and nothing behind',
      async () => {
        const { seen, left } = await runs.leftovers();
        expect(seen).toBeGreaterThanOrEqual(chosen.length);
        expect(left).toEqual([]);
      },
      unlimited,
    );
  });
}

const onGvisor = ['ssh-key-on-start', 'persistence-bashrc', 'shell-injection', 'rug-pull-after-calls', 'leaves-daemon'];

describeBackend('bwrap', samples);
describeBackend(
  'gvisor',
  samples.filter(({ id, twin }) => onGvisor.includes(id) || onGvisor.includes(twin)),
);
afterAll(() => rmSync(preparedFolder, { recursive: true, force: true }));
