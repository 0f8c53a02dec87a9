import type { Phase } from '../../../../base/event-schema.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import type { Canary, DecoyHome } from '../../../../engine/decoy/index.ts';
import type { EventWindow } from '../session/event-window.ts';
import type { PlantedWorld, RaisedProps } from '../world/index.ts';
import type { Detonated, DetonateOptions } from './contract.ts';
import { mintGiven } from './given-bait.ts';
import type { Server } from './server.ts';

/** Where a target is worked on: the cell, what was planted, and the record as far as it is written. */

type Draft = { -readonly [Key in keyof Detonated]: Detonated[Key] };

export interface BenchParts {
  readonly options: DetonateOptions;
  readonly window: EventWindow;
  readonly cell: Cell;
  readonly planted: PlantedWorld;
  readonly home: DecoyHome;
  /** Bait that the server may be given because it asks for it, by the name that it asks with. */
  readonly given: ReadonlyMap<string, Canary>;
}

function emptyDraft({ options, cell, planted, home }: BenchParts): Omit<Draft, 'completeness'> {
  return {
    run: cell.runId,
    backend: cell.box.record.backend,
    folders: cell.box.folders,
    home,
    world: planted.world,
    installed: { folder: '', programs: [] },
    installProblems: [],
    registryHosts: options.install.registries.flatMap(({ hosts }) => hosts),
    start: { isStarted: false, transport: null, argv: [], because: [], attempts: 0 },
    launch: null,
    handshake: null,
    listing: null,
    listings: [],
    otherListings: [],
    differences: [],
    variants: [],
    tools: [],
    otherCalls: [],
    resourceCalls: [],
    made: [],
    proven: [],
    notTried: [],
    crashes: [],
    counts: null,
    findings: [],
    missing: [],
    phases: ['install'],
  };
}

export class Bench {
  readonly options: DetonateOptions;
  readonly window: EventWindow;
  readonly cell: Cell;
  readonly planted: PlantedWorld;
  readonly draft: Omit<Draft, 'completeness'>;
  readonly props: RaisedProps[] = [];
  readonly #given: ReadonlyMap<string, Canary>;
  server: Server | null = null;
  /** When the server had said hello. */
  startedMs = performance.now();

  constructor(parts: BenchParts) {
    this.options = parts.options;
    this.window = parts.window;
    this.cell = parts.cell;
    this.planted = parts.planted;
    this.#given = parts.given;
    this.draft = emptyDraft(parts);
  }

  get isOver(): boolean {
    return this.options.signal.aborted;
  }

  stage(phase: Phase): void {
    this.options.onProgress({ kind: 'stage', stage: phase });
  }

  async enter(phase: Phase): Promise<void> {
    this.stage(phase);
    if (!this.draft.phases.includes(phase)) this.draft.phases = [...this.draft.phases, phase];
    await this.cell.enter(phase);
  }

  /** Something that was wanted and not done. */
  miss(...what: readonly string[]): void {
    this.draft.missing = [...this.draft.missing, ...what.map((line) => line.slice(0, 1024))].slice(0, 200);
  }

  /** Looks like what the variable asks for, and works nowhere. The same name gets the same value. */
  readonly bait = (name: string): string =>
    this.#given.get(name.toUpperCase())?.token ?? mintGiven(name, this.options.wishes.seed).token;

  async close(): Promise<Detonated> {
    await this.server?.close().catch(() => undefined);
    for (const props of this.props) await props.close().catch(() => undefined);
    await this.planted.close();
    const completeness = await this.cell.close();
    return { ...this.draft, completeness };
  }
}
