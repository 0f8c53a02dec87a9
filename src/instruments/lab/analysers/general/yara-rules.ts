import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeError } from '../../../../base/errors.ts';
import { rulesFile } from '../../../../base/rules-folder.ts';
import type { RuleFile } from './yara-engine.ts';

export const ownFolder = (): string => fileURLToPath(rulesFile('yara/'));

const mostFiles = 2000;
const mostFileBytes = 8 * 1024 * 1024;
const mostDepth = 4;

export interface RuleListing {
  readonly paths: readonly string[];
  /** Changes when a file does. */
  readonly key: string;
  readonly notes: readonly string[];
}

/** The rule files of folders, in order; links are not followed out of them. */
export function listRules(folders: readonly string[]): RuleListing {
  const paths: string[] = [];
  const marks: string[] = [];
  const notes: string[] = [];
  const walk = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < mostDepth) walk(path, depth + 1);
      if (!entry.isFile() || !/\.yara?$/i.test(entry.name) || paths.length >= mostFiles) continue;
      const { size, mtimeMs } = statSync(path);
      if (size > mostFileBytes) {
        notes.push(`${path}: too large to be compiled`);
        continue;
      }
      paths.push(path);
      marks.push(`${path} ${size} ${mtimeMs}`);
    }
  };
  for (const folder of folders) {
    try {
      walk(folder, 0);
    } catch (error) {
      notes.push(`rules in ${folder} cannot be read: ${describeError(error)}`);
    }
  }
  if (paths.length >= mostFiles) notes.push(`only the first ${mostFiles} rule files are used`);
  return { paths, key: marks.join('\n'), notes };
}

export function readRuleFiles(paths: readonly string[]): readonly RuleFile[] {
  return paths.map((path) => ({ name: path, source: readFileSync(path, 'utf8') }));
}
