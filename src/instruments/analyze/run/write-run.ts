import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, HostError } from '../../../base/errors.ts';
import { formatJson } from '../../../base/format-json.ts';
import type { RenderInput } from '../../../evidence/renderer.ts';
import { renderers } from '../../../evidence/renderers/index.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';
import type { Analysed } from './contract.ts';

/** The documents of a run, beside its events. Whoever ran it, whole or cut short, keeps them in the same way. */

/** The first is what everything else can be made from again. */
export const runFiles = {
  json: 'report.json',
  html: 'report.html',
  sarif: 'report.sarif',
  markdown: 'report.md',
  cyclonedx: 'sbom.cdx.json',
  policy: 'policy.json',
} as const;

export interface WrittenRun {
  /** Names of the files, below the folder. */
  readonly files: readonly string[];
  /** Documents that could not be made, in words; the others are there. */
  readonly problems: readonly string[];
}

/** A reader finds the whole document or none. */
async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, text, { mode: 0o600 });
  await rename(part, path);
}

type Document = readonly [name: string, make: () => string];

function documentsOf({ report, bom }: Analysed, rules: readonly RuleText[]): readonly Document[] {
  const input: RenderInput = { report, rules, boms: report.subjects.map(() => bom) };
  const rendered = renderers.flatMap(({ id, render }): Document[] => {
    const name = Object.hasOwn(runFiles, id) ? runFiles[id as keyof typeof runFiles] : undefined;
    if (name === undefined || (id === 'cyclonedx' && bom === null)) return [];
    return [[name, () => render(input)]];
  });
  const policy = report.subjects[0]?.analysis?.policy ?? null;
  return policy === null ? rendered : [...rendered, [runFiles.policy, () => formatJson(policy)]];
}

export async function writeRun(analysed: Analysed, rules: readonly RuleText[]): Promise<WrittenRun> {
  const { folder } = analysed;
  const files: string[] = [];
  const problems: string[] = [];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, make] of documentsOf(analysed, rules)) {
    try {
      await writeWhole(join(folder, name), make());
      files.push(name);
    } catch (cause) {
      if (name === runFiles.json)
        throw new HostError(`cannot write ${name} in ${folder}: ${describeError(cause)}`, { cause });
      problems.push(`${name}: ${describeError(cause)}`);
    }
  }
  return { files, problems };
}
