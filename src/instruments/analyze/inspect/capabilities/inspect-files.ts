import { findingSchema } from '../../../../base/finding-schema.ts';
import type { Inspection } from '../contract.ts';
import { makeTargetFolder } from '../target-folder.ts';
import { type CapabilityOptions, type CapabilityReport, inspectCapabilities } from './index.ts';

/** For tests: the inspection of a package made of texts, with every finding held against its schema. */

export type Files = Readonly<Record<string, string>>;

export function inspectFiles(files: Files, options: CapabilityOptions = {}): Inspection<CapabilityReport> {
  using folder = makeTargetFolder(files);
  const inspection = inspectCapabilities(folder, options);
  for (const finding of inspection.findings) findingSchema.parse(finding);
  return inspection;
}

/** `rule severity` of every finding, without the folder of the rule. */
export const toldOf = (files: Files, options: CapabilityOptions = {}): readonly string[] =>
  inspectFiles(files, options).findings.map(({ rule, severity }) => `${rule.replace('capabilities/', '')} ${severity}`);
