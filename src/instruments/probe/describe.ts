import type { ScannerName } from './contract.ts';
import type { NetworkLayer } from './options.ts';
import type { Probe } from './probe.ts';
import { objectToTime, type ScopeDocument, scopeDefaults } from './scope/index.ts';

/** The scope as it is told to people and agents; a credential is a name here and nothing more. */

export interface DescribedScope {
  readonly name: string;
  readonly fingerprint: string;
  readonly network: NetworkLayer;
  readonly authorization: Record<string, string>;
  readonly targets: string[];
  readonly pins: Record<string, string[]>;
  /** Null: all. */
  readonly ports: string[] | null;
  readonly urls: string[];
  readonly methods: string[];
  readonly credentials: string[];
  readonly rate: { requests_per_second: number; connections_per_second: number };
  readonly concurrency: { scans: number; per_target: number; connections: number };
  readonly not_before: string | null;
  readonly expires: string | null;
  /** Time of day, in words. */
  readonly window: string | null;
  readonly objection: string | null;
  readonly scanners: { name: ScannerName; is_available: boolean; because: string | null }[];
  readonly notes: string[];
}

/** A scope of a thousand ranges has as many notes. */
const mostNotes = 100;

export function boundedNotes(notes: readonly string[]): string[] {
  if (notes.length <= mostNotes) return [...notes];
  const told = notes.slice(0, mostNotes - 1);
  return [...told, `and ${notes.length - told.length} more notes on the scope`];
}

function describeWindow({ from, to, timeZone = scopeDefaults.timeZone, days }: NonNullable<ScopeDocument['window']>) {
  return `${from} to ${to} ${timeZone}${days === undefined ? '' : ` on ${days.join(', ')}`}`;
}

export async function describeScope(probe: Probe, now: number): Promise<DescribedScope> {
  const { scope, options } = probe;
  const { document } = scope;
  const scanners = await probe.available();
  const authorization = Object.entries(document.authorization).filter(([, value]) => value !== undefined);
  return {
    name: scope.name,
    fingerprint: scope.fingerprint,
    network: options.networkLayer,
    authorization: Object.fromEntries(authorization.map(([key, value]) => [key, String(value)])),
    targets: [...document.targets],
    pins: Object.fromEntries([...scope.pins].map(([name, addresses]) => [name, [...addresses]])),
    ports: document.ports?.map(String) ?? null,
    urls: [...(document.urls ?? [])],
    methods: [...scope.methods],
    credentials: (document.credentials ?? []).map(({ name }) => name),
    rate: {
      requests_per_second: scope.rate.requestsPerSecond,
      connections_per_second: scope.rate.connectionsPerSecond,
    },
    concurrency: {
      scans: scope.concurrency.scans,
      per_target: scope.concurrency.perTarget,
      connections: scope.concurrency.connections,
    },
    not_before: document.notBefore ?? null,
    expires: document.expires ?? null,
    window: document.window === undefined ? null : describeWindow(document.window),
    objection: objectToTime(scope, now),
    scanners: scanners.map(({ name, isAvailable, because }) => ({ name, is_available: isAvailable, because })),
    notes: boundedNotes(scope.notes),
  };
}
