import { basename } from 'node:path';
import type { Severity } from '../../../../base/finding-schema.ts';
import type { Analyser, AnalyserInput, AnalyserResult, Json, LabFinding } from '../../contract.ts';
import { noResult } from '../../contract.ts';
import { type CompiledRules, scan, YaraEngine, type YaraMatch } from './yara-engine.ts';
import { listRules, ownFolder, readRuleFiles } from './yara-rules.ts';

const mostShown = 200;
const mostStrings = 10;
const excerptBytes = 80;

interface Meta {
  readonly [key: string]: string | number | boolean;
}

function metaOf(match: YaraMatch): Meta {
  const simple = match.metadata.flatMap(({ identifier, value }) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[identifier, value]] : [],
  );
  return Object.fromEntries(simple.slice(0, 40));
}

function excerpt(bytes: Uint8Array, offset: number, length: number): string {
  const part = bytes.subarray(offset, offset + Math.min(length, excerptBytes));
  return Buffer.from(part)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '.');
}

interface Place {
  readonly id: string;
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

function placesOf(bytes: Uint8Array, match: YaraMatch): readonly Place[] {
  return match.patterns
    .filter(({ isPrivate }) => !isPrivate)
    .flatMap(({ identifier, matches }) =>
      matches
        .slice(0, 3)
        .map(({ offset, length }) => ({ id: identifier, offset, length, text: excerpt(bytes, offset, length) })),
    )
    .slice(0, mostStrings);
}

const words = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(/[\s,]+/).filter((word) => word !== '') : [];
const wordOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value.slice(0, 300) : otherwise;

/** Written out, since the schema that has the list as well would be loaded in every thread for it. */
const severities: Record<Severity, Severity> = {
  info: 'info',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
};

function severityOf(value: unknown): Severity {
  return Object.values(severities).find((severity) => severity === value) ?? 'info';
}

function findingOf(match: YaraMatch, meta: Meta, places: readonly Place[]): LabFinding {
  const name = match.identifier.toLowerCase().replaceAll('_', '-');
  const attack = words(meta.attack);
  const mbc = words(meta.mbc);
  return {
    rule: `yara.${name}`,
    title: wordOf(meta.description, `The rule ${match.identifier} of ${basename(match.namespace)} matches`),
    severity: severityOf(meta.severity),
    evidenceType: 'artifact',
    evidence: places.map(({ id, offset, text }) => ({ where: `offset 0x${offset.toString(16)} (${id})`, text })),
    benign: wordOf(
      meta.benign,
      'A rule finds what it was written for and what looks like it; its author may say more.',
    ),
    ...(attack.length === 0 ? {} : { attack }),
    ...(mbc.length === 0 ? {} : { mbc }),
  };
}

function describeAll(
  bytes: Uint8Array,
  matches: readonly YaraMatch[],
  notes: readonly string[],
  files: number,
): AnalyserResult {
  const shown = matches
    .slice(0, mostShown)
    .map((match) => ({ match, meta: metaOf(match), places: placesOf(bytes, match) }));
  const facts = {
    rule_files: files,
    total: matches.length,
    matches: shown.map(({ match, meta, places }): { [key: string]: Json } => ({
      rule: match.identifier,
      file: basename(match.namespace),
      tags: match.tags.slice(0, 20),
      meta,
      strings: places.map((place) => ({ ...place })),
    })),
  };
  return {
    ...noResult,
    facts,
    findings: shown.map(({ match, meta, places }) => findingOf(match, meta, places)),
    notes,
  };
}

/** What has been compiled stays compiled for as long as its thread lives, or until a file changes. */
class RuleShelf {
  #engine: Promise<YaraEngine> | null = null;
  #kept: { readonly key: string; readonly compiled: CompiledRules } | null = null;

  async scan({ bytes, tick }: AnalyserInput, folders: readonly string[]): Promise<AnalyserResult> {
    const listing = listRules(folders);
    this.#engine ??= YaraEngine.load();
    const engine = await this.#engine;
    tick();
    if (this.#kept?.key !== listing.key) {
      this.#kept?.compiled.rules.free();
      this.#kept = null;
      this.#kept = { key: listing.key, compiled: engine.compile(readRuleFiles(listing.paths)) };
    }
    tick();
    const { rules, notes } = this.#kept.compiled;
    return describeAll(bytes, scan(rules, bytes), [...listing.notes, ...notes], listing.paths.length);
  }
}

function makeYara(id: string, title: string, foldersOf: (input: AnalyserInput) => readonly string[]): Analyser {
  const shelf = new RuleShelf();
  return {
    id,
    title,
    version: 1,
    kinds: 'any',
    depth: 'quick',
    timeoutMs: 60_000,
    analyse: async (input) => {
      const folders = foldersOf(input);
      return folders.length === 0 ? noResult : shelf.scan(input, folders);
    },
  };
}

export const yara = makeYara('yara', 'YARA rules of Hotcell', () => [ownFolder()]);
/** Apart from ours, since a slow rule costs only its own run: the engine cannot be stopped from inside. */
export const yaraFolders = makeYara('yara-folders', 'YARA rules of the user', ({ rulesFolders }) => rulesFolders);
