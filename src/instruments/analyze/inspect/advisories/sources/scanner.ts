import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../../../../../base/errors.ts';
import { mebibyte, minuteMs } from '../../../../../base/limits.ts';
import { type RunResult, runTool } from '../../../../../base/process.ts';
import type { Component, Ecosystem } from '../../sbom/index.ts';
import type { Match } from '../match.ts';
import { type AdvisorySource, isFreshAt, type SourceAnswer, unreachable } from '../source.ts';

/** Programs of others that read a bill of materials. They get the file that Hotcell wrote and never the target. */

export interface ScannerOptions {
  /** A name that is looked for in the system's folders, or a path. */
  readonly program?: string;
  readonly timeoutMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Scanner {
  readonly id: string;
  readonly title: string;
  readonly program: string;
  readonly arguments: (bomPath: string) => readonly string[];
  /** Exit codes of a run that is an answer. */
  readonly answers: readonly number[];
  readonly covers: readonly Ecosystem[];
  readonly read: (
    output: unknown,
    find: (ecosystem: Ecosystem, name: string, version: string) => Component | undefined,
  ) => readonly Match[];
  /** How it is asked for the date of its data, where it can be. */
  readonly freshness?: {
    readonly arguments: readonly string[];
    readonly read: (output: unknown) => string | undefined;
    readonly mostDays: number;
  };
}

const mostOutputBytes = 128 * mebibyte;

function parse(result: RunResult): unknown {
  return JSON.parse(result.stdout.toString('utf8'));
}

async function readDate(
  scanner: Scanner,
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (scanner.freshness === undefined) return undefined;
  try {
    return scanner.freshness.read(
      parse(await runTool(program, scanner.freshness.arguments, { environment, timeoutMs: 20_000 })),
    );
  } catch {
    return undefined;
  }
}

export function scannerSource(scanner: Scanner, options: ScannerOptions = {}): AdvisorySource {
  const program = options.program ?? scanner.program;
  const environment = options.environment ?? { HOME: homedir() };
  return {
    id: scanner.id,
    title: scanner.title,
    ask: async ({ components, bom, now }): Promise<SourceAnswer> => {
      const folder = mkdtempSync(join(tmpdir(), 'hotcell-bom-'));
      try {
        const path = join(folder, 'bom.cdx.json');
        writeFileSync(path, JSON.stringify(bom), { mode: 0o600 });
        const result = await runTool(program, scanner.arguments(path), {
          environment,
          timeoutMs: options.timeoutMs ?? 3 * minuteMs,
          maxOutputBytes: mostOutputBytes,
        });
        if (result.hasTimedOut || result.droppedBytes > 0)
          return unreachable(scanner, 'it did not end in its time or size');
        if (result.code === null || !scanner.answers.includes(result.code))
          return unreachable(scanner, `it ended with ${result.code ?? result.signal}`);
        const byKey = new Map(
          components.map((component) => [`${component.ecosystem}:${component.name}:${component.version}`, component]),
        );
        const matches = scanner.read(parse(result), (ecosystem, name, version) =>
          byKey.get(`${ecosystem}:${name}:${version}`),
        );
        const dataAt = await readDate(scanner, program, environment);
        return {
          source: scanner.id,
          title: scanner.title,
          isReachable: true,
          because: undefined,
          dataAt,
          // One that asks its service has no date of its own; one that keeps a database must show it.
          isFresh: scanner.freshness === undefined || isFreshAt(dataAt, now, scanner.freshness.mostDays),
          covers: scanner.covers,
          matches,
          unanswered: components.filter(({ version }) => version === undefined).map(({ purl }) => purl),
        };
      } catch (error) {
        return unreachable(scanner, describeError(error));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
