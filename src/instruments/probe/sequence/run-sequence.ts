import { describeError, exitCodes, isKnownError } from '../../../base/errors.ts';
import type { ScannerDefinition, ScannerName } from '../contract.ts';
import type { Probe } from '../probe.ts';
import type { KeptScan } from '../results/keep.ts';
import { scanners } from '../scanners/index.ts';
import { urlsOf } from './hosts.ts';
import type { SequencePlan } from './plan.ts';

/** The scanners one after the other, each with what those before it found. The queue of probe keeps the pace. */

export interface SequenceEvent {
  readonly scanner: ScannerName;
  readonly target: string;
  readonly is: 'started' | 'ended' | 'unfinished' | 'failed';
  readonly words: string;
}

export interface SequenceOptions {
  readonly signal: AbortSignal;
  /** One scan, recorded by whoever asks for the sequence. */
  readonly scan: (scanner: ScannerDefinition, input: Readonly<Record<string, unknown>>) => Promise<KeptScan>;
  readonly tell: (event: SequenceEvent) => void;
}

export interface SequenceEnd {
  readonly scans: readonly KeptScan[];
  /** What could not be done at all, in words. */
  readonly failures: readonly string[];
  /** It was told to end before everything was looked at. */
  readonly isCut: boolean;
}

/** Open ports of one host that are asked whether they speak HTTP. */
const mostWebPorts = 16;
const tlsFirst: ReadonlySet<number> = new Set([443, 8443, 9443, 4443, 6443]);

function baseUrl(scheme: string, host: string, port: number): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return new URL(`${scheme}://${shown}:${port}/`).href;
}

function below(base: string, name: string): string {
  return `${base.endsWith('/') ? base : `${base}/`}${name}`;
}

/** A probe that got an answer says with which status. */
function hasAnswered({ result }: KeptScan): boolean {
  return result.findings.some(({ kind, name }) => kind === 'fact' && name === 'answer');
}

/** A port that speaks something else is no part of the report; one that nobody had the time to ask is. */
function isTelling(kept: KeptScan): boolean {
  return hasAnswered(kept) || kept.result.status !== 'error';
}

/** Whoever watches sees why one did not come to its end. */
function describeEnd({ result: { status, notes }, findings }: KeptScan): string {
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const because = status === 'completed' || notes[0] === undefined ? '' : `; ${notes[0]}`;
  return `${status.replace('_', ' ')}, ${count}${because}`;
}

function openPorts({ result }: KeptScan): readonly number[] {
  return result.findings.flatMap(({ port, state }) => (typeof port === 'number' && state === 'open' ? [port] : []));
}

export class Sequence {
  readonly #probe: Probe;
  readonly #options: SequenceOptions;
  readonly #missing: ReadonlySet<ScannerName>;
  readonly #scans: KeptScan[] = [];
  readonly #failures: string[] = [];

  constructor(probe: Probe, plan: SequencePlan, options: SequenceOptions) {
    this.#probe = probe;
    this.#options = options;
    this.#missing = new Set(plan.missing.map(({ scanner }) => scanner));
  }

  async #scan(
    name: ScannerName,
    input: Readonly<Record<string, unknown>>,
    isWanted: (kept: KeptScan) => boolean = () => true,
  ): Promise<KeptScan | null> {
    const scanner = scanners.find((each) => each.name === name);
    if (scanner === undefined || this.#missing.has(name) || this.#options.signal.aborted) return null;
    const kept = await this.#scanWith(scanner, input);
    if (kept === null || !isWanted(kept)) return null;
    this.#scans.push(kept);
    return kept;
  }

  async #scanWith(scanner: ScannerDefinition, input: Readonly<Record<string, unknown>>): Promise<KeptScan | null> {
    const { tell, signal, scan } = this.#options;
    const target = String(input[scanner.positional]);
    const about = { scanner: scanner.name, target };
    try {
      const read = scanner.input.parse(input);
      tell({ ...about, is: 'started', words: '' });
      const kept = await scan(scanner, read);
      const { status } = kept.result;
      tell({ ...about, is: status === 'completed' ? 'ended' : 'unfinished', words: describeEnd(kept) });
      return kept;
    } catch (error) {
      if (signal.aborted) return null;
      // Where no box or no gate can be made, that holds for every scan, and nothing was sent.
      const isForAll = isKnownError(error) && error.exitCode === exitCodes.noIsolation && this.#scans.length === 0;
      if (isForAll || !isKnownError(error)) throw error;
      const words = describeError(error);
      this.#failures.push(`${scanner.name} of ${target}: ${words}`);
      tell({ ...about, is: 'failed', words });
      return null;
    }
  }

  /** Plain HTTP and TLS, the likelier first; both are probed where the first did not answer. */
  async #findBase(host: string, port: number): Promise<string | null> {
    const schemes = tlsFirst.has(port) ? ['https', 'http'] : ['http', 'https'];
    for (const scheme of schemes) {
      const url = baseUrl(scheme, host, port);
      const probed = await this.#scan('http_probe', { url }, isTelling);
      if (probed !== null && hasAnswered(probed)) return url;
    }
    return null;
  }

  async #lookAt(base: string): Promise<void> {
    await Promise.all([
      this.#scan('ffuf_discover', { url: below(base, 'FUZZ') }),
      this.#scan('arjun_params', { url: base }),
      this.#scan('openapi_audit', { url: base }),
      this.#scan('graphql_audit', { url: below(base, 'graphql') }),
      this.#scan('mcp_probe', { url: below(base, 'mcp') }),
      this.#scan('nuclei_scan', { url: base }),
    ]);
  }

  async #lookAtHost(host: string): Promise<void> {
    const { scope } = this.#probe;
    const ports = await this.#scan('nmap_scan', { target: host });
    const open = ports === null ? [] : openPorts(ports);
    const given = urlsOf(scope, host);
    if (given.length === 0 && this.#missing.has('nmap_scan')) {
      this.#failures.push(`${host}: nmap is missing, and the scope names no URLs: nothing tells what to look at`);
    }
    const bases: (string | null)[] = [];
    if (given.length > 0) {
      for (const url of given) {
        await this.#scan('http_probe', { url });
        bases.push(url);
      }
    } else {
      for (const port of open.slice(0, mostWebPorts)) bases.push(await this.#findBase(host, port));
      if (open.length > mostWebPorts)
        this.#failures.push(`${host}: ${open.length - mostWebPorts} open ports were not asked for HTTP`);
    }
    for (const base of bases.filter((each) => each !== null)) {
      if (base.startsWith('https:')) {
        await this.#scan('tls_audit', { target: host, port: Number(new URL(base).port || 443) });
      }
      await this.#lookAt(base);
    }
  }

  async run(hosts: readonly string[]): Promise<SequenceEnd> {
    // A few at a time: the queue keeps the limits, and what waits in it is bounded.
    const left = [...hosts];
    const work = async (): Promise<void> => {
      for (let host = left.shift(); host !== undefined; host = left.shift()) {
        if (this.#options.signal.aborted) return;
        await this.#lookAtHost(host);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    return { scans: this.#scans, failures: this.#failures, isCut: this.#options.signal.aborted };
  }
}
