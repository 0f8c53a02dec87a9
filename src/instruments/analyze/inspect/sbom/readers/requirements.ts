import { posix } from 'node:path';
import type { Lock, LockEntry } from '../builder.ts';
import { hashesOfDigests } from '../integrity.ts';
import { normalisePythonName } from '../purl.ts';
import type { LockReader, Siblings } from '../reader.ts';
import { parseRequirement } from './python-requirement.ts';

/** requirements.txt with `-r` and `-c`, continued lines, hashes and markers. It is a lock only where everything is pinned. */

const mostFiles = 50;
const mostLines = 100_000;

interface Reading {
  readonly entries: Map<string, LockEntry>;
  readonly problems: string[];
  readonly files: Set<string>;
  /** Every package has a hash: pip then refuses what is not listed, so the list is whole. */
  isHashed: boolean;
}

function logicalLines(text: string): readonly string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/, mostLines)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

function readLine(line: string, folder: string, reading: Reading, siblings: Siblings): void {
  const nested = /^(?:-r|--requirement)[\s=]+(.+)$/.exec(line);
  if (nested?.[1] !== undefined) {
    const path = posix.normalize(posix.join(folder, nested[1].trim()));
    readFile(path, reading, siblings);
    return;
  }
  if (/^-c\s|^--constraint/.test(line)) return;
  const editable = /^(?:-e|--editable)[\s=]+(.+)$/.exec(line);
  const target = editable?.[1] ?? line;
  if (editable === null && line.startsWith('-')) return;
  const egg = /[#&]egg=([A-Za-z0-9._-]+)/.exec(target)?.[1];
  const requirement = parseRequirement(
    egg !== undefined && !/^[A-Za-z0-9._-]+\s*@/.test(target) ? `${egg} @ ${target}` : target,
  );
  if (requirement === undefined) {
    reading.problems.push(`has a line that names no package: ${JSON.stringify(target.slice(0, 80))}`);
    return;
  }
  const { name, version, range, origin, hashes } = requirement;
  if (hashes.length === 0) reading.isHashed = false;
  const key = normalisePythonName(name);
  const entry = {
    key: `${key}==${version ?? range ?? origin ?? ''}`,
    name,
    version,
    range,
    origin,
    hashes: hashesOfDigests(hashes),
    needs: [],
  };
  reading.entries.set(entry.key, entry);
}

function readFile(path: string, reading: Reading, siblings: Siblings): void {
  if (reading.files.has(path)) return;
  const text = siblings(path);
  if (text === undefined || reading.files.size >= mostFiles) {
    reading.problems.push(`includes ${JSON.stringify(path.slice(0, 120))}, which is not there`);
    return;
  }
  reading.files.add(path);
  for (const line of logicalLines(text)) readLine(line, posix.dirname(path), reading, siblings);
}

function read(text: string, siblings: Siblings): Lock {
  const reading: Reading = { entries: new Map(), problems: [], files: new Set(), isHashed: true };
  for (const line of logicalLines(text)) readLine(line, '', reading, siblings);
  const entries = [...reading.entries.values()];
  return {
    ecosystem: 'pypi',
    root: {},
    entries,
    direct: entries.map(({ key }) => key),
    directDevelopment: [],
    directOptional: [],
    problems: reading.problems,
    isPartial: !reading.isHashed,
  };
}

export const requirements: LockReader = {
  id: 'requirements',
  title: 'requirements.txt',
  ecosystem: 'pypi',
  isFor: (fileName) => /^requirements(?:[-_.][\w.-]+)?\.(?:txt|lock)$/.test(fileName),
  rank: 20,
  read,
};
