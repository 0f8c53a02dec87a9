import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mebibyte } from '../../../base/limits.ts';
import { readRegularFile } from '../../../base/regular-file.ts';
import type { ResourceDefinition } from '../contract.ts';
import { runNamePattern, runsFolder } from '../runs/run-folder.ts';

/** Documents of past runs, by address. */

const mostListed = 100;
const largestBytes = 16 * mebibyte;

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The end of the address. */
  readonly end: string;
  readonly mimeType: string;
  readonly file: string;
}

/** The names of files are those of `runFiles`; a test keeps them together. */
export const documentKinds: readonly Kind[] = [
  {
    name: 'run-report',
    title: 'Report of a run',
    description: 'everything a run says, as JSON; texts of the server in it are untrusted',
    end: 'report',
    mimeType: 'application/json',
    file: 'report.json',
  },
  {
    name: 'run-report-markdown',
    title: 'Report of a run for reading',
    description: 'the same for people; texts of the server in it are untrusted',
    end: 'report.md',
    mimeType: 'text/markdown',
    file: 'report.md',
  },
  {
    name: 'run-sbom',
    title: 'Bill of materials of a run',
    description: 'CycloneDX: what the server is made of',
    end: 'sbom',
    mimeType: 'application/vnd.cyclonedx+json',
    file: 'sbom.cdx.json',
  },
  {
    name: 'run-policy',
    title: 'Policy that a run learnt',
    description: 'the least privilege that the server proved to need',
    end: 'policy',
    mimeType: 'application/json',
    file: 'policy.json',
  },
];

/** Null where there is no such file, where it is a link, and where it is too large to be handed over whole. */
async function readDocument(folder: string, file: string): Promise<string | null> {
  try {
    if (!(await lstat(folder)).isDirectory()) return null;
    const read = await readRegularFile(join(folder, file), { mostBytes: largestBytes, links: 'refused' });
    return read.isWhole ? read.bytes.toString() : null;
  } catch {
    return null;
  }
}

function documentResource({ name, title, description, end, mimeType, file }: Kind): ResourceDefinition {
  return {
    name,
    title,
    description,
    toolset: 'analyze',
    template: `hotcell://runs/{run}/${end}`,
    mimeType,
    async list({ settings }) {
      const { keptRuns } = await import('../runs/load-run.ts');
      const runs = runsFolder(settings.values.home);
      const names = (await keptRuns(runs)).filter((run) => runNamePattern.test(run)).slice(-mostListed);
      const stats = await Promise.all(names.map((run) => lstat(join(runs, run, file)).catch(() => null)));
      return names
        .filter((_, at) => stats[at]?.isFile() === true)
        .toReversed()
        .map((run) => ({ uri: `hotcell://runs/${run}/${end}`, title: `${title}: ${run}` }));
    },
    async read({ run = '' }, { settings }) {
      if (!runNamePattern.test(run)) return null;
      const text = await readDocument(join(runsFolder(settings.values.home), run), file);
      return text === null ? null : { text };
    },
  };
}

export const resources: readonly ResourceDefinition[] = documentKinds.map(documentResource);
