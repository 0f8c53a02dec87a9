import { findingSchema } from '../../../../base/finding-schema.ts';
import type { Inspection } from '../contract.ts';
import { inspectSbom } from '../sbom/index.ts';
import { makeTargetFolder } from '../target-folder.ts';
import { type AdvisoryReport, inspectAdvisories } from './index.ts';
import type { AdvisorySource } from './source.ts';

/** For the tests of this folder: targets made of texts, asked about at a fixed time. */

export const now = new Date('2026-11-15T00:00:00Z');

export const lockOf = (
  packages: Readonly<Record<string, object>>,
  own: object = {
    name: 'server',
    version: '1.0.0',
    dependencies: Object.fromEntries(Object.keys(packages).map((name) => [name, '*'])),
  },
): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': own,
      ...Object.fromEntries(Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry])),
    },
  });

export async function inspectFiles(
  files: Readonly<Record<string, string>>,
  sources: readonly AdvisorySource[],
  at = now,
): Promise<Inspection<AdvisoryReport>> {
  using folder = makeTargetFolder(files);
  const inspection = await inspectAdvisories(folder, inspectSbom(folder).data, { sources, now: at });
  for (const finding of inspection.findings) findingSchema.parse(finding);
  return inspection;
}
