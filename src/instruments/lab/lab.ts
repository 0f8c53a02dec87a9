import { mkdir } from 'node:fs/promises';
import { UsageError } from '../../base/errors.ts';
import type { Connector } from '../../engine/connector/contract.ts';
import { AnalyserPool } from './analysers/run/index.ts';
import { AnalysisCache } from './analysis/cache.ts';
import { type Catalogue, readCatalogue } from './catalogue/index.ts';
import type { LabOptions } from './options.ts';
import { Origins } from './samples/origins.ts';
import { SampleRoom } from './samples/room.ts';
import { boxedWorkbench } from './workbench/boxed.ts';
import { connectedWorkbench } from './workbench/connected.ts';
import type { Workbench } from './workbench/contract.ts';

/** An open lab: one connection, one room of samples, one bench and one pool of threads for everybody who works in it. */

async function openConnector(options: LabOptions): Promise<Connector> {
  const { openDocker, openLocal, openSsh } = await import('../../engine/connector/index.ts');
  const { mode, container, containerUser, dockerSocket, host } = options;
  if (mode === 'local') return openLocal({});
  if (mode === 'docker') {
    return openDocker({
      socketPath: dockerSocket,
      container,
      ...(containerUser === null ? {} : { user: containerUser }),
    });
  }
  if (host === null) throw new UsageError('--mode ssh needs a host', { hint: 'name it with --host' });
  const { user, port, password, identityFile, identityPassphrase, agentSocket, knownHostsFile, isNewHostAccepted } =
    options;
  return openSsh({
    host,
    port,
    user,
    knownHostsFile,
    isNewHostAccepted,
    ...(password === null ? {} : { password }),
    ...(identityFile === null ? {} : { identityFile }),
    ...(identityPassphrase === null ? {} : { identityPassphrase }),
    ...(agentSocket === null ? {} : { agentSocket }),
  });
}

export class Lab implements AsyncDisposable {
  readonly options: LabOptions;
  readonly connector: Connector;
  readonly samples: SampleRoom;
  readonly workbench: Workbench;
  readonly analysers: AnalyserPool;
  readonly cache: AnalysisCache;
  readonly #origins: Origins;
  #catalogue: Catalogue | null = null;
  #programs: Promise<ReadonlyMap<string, string>> | null = null;

  private constructor(options: LabOptions, connector: Connector, origins: Origins) {
    const { samplesFolder: samples, outputFolder: output, confinement } = options;
    this.options = options;
    this.connector = connector;
    this.#origins = origins;
    // A container or a machine over ssh is made for samples: nothing of its user is there.
    const guardedHome = options.isPrivateRefused && options.mode === 'local' ? options.homeFolder : null;
    const folders = { samples, output, isConfined: confinement === 'confined', guardedHome };
    this.samples = new SampleRoom({ connector, folders, origins });
    const isBoxed = options.mode === 'local' && confinement !== 'plain';
    this.workbench = isBoxed ? boxedWorkbench(options) : connectedWorkbench(connector);
    this.analysers = new AnalyserPool();
    this.cache = new AnalysisCache(options.homeFolder);
  }

  /** Connects when something is first asked for, so that a lab is open at once. */
  static async open(options: LabOptions): Promise<Lab> {
    const connector = await openConnector(options);
    if (options.mode === 'local') {
      // A first sample needs a place to go to; elsewhere the folders are made by the first file that is put there.
      for (const folder of [options.samplesFolder, options.outputFolder]) {
        await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {});
      }
    }
    return new Lab(options, connector, new Origins(options.homeFolder));
  }

  get catalogue(): Catalogue {
    this.#catalogue ??= readCatalogue();
    return this.#catalogue;
  }

  /** What of the catalogue is installed there; asked once, and again after `forgetPrograms`. */
  programs(): Promise<ReadonlyMap<string, string>> {
    this.#programs ??= this.#lookUp();
    return this.#programs;
  }

  async #lookUp(): Promise<ReadonlyMap<string, string>> {
    try {
      return await this.workbench.available([...new Set(this.catalogue.tools.map(({ command }) => command))]);
    } catch (error) {
      this.#programs = null;
      throw error;
    }
  }

  forgetPrograms(): void {
    this.#programs = null;
  }

  async close(): Promise<void> {
    this.analysers.close();
    this.#origins.close();
    await this.connector.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
