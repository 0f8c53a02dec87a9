import { advisoryRules } from './advisories/index.ts';
import { capabilityRules } from './capabilities/index.ts';
import { metadataRules } from './metadata/index.ts';
import { packageRules } from './package/index.ts';
import type { Rule } from './rule.ts';
import { sbomRules } from './sbom/index.ts';
import { secretRules } from './secrets/index.ts';

/** Every rule of the inspectors that are lists of definitions, for `--explain` and for the help in reports. */
export const inspectRules: readonly Rule[] = [
  capabilityRules,
  sbomRules,
  advisoryRules,
  packageRules,
  metadataRules,
  secretRules,
].flatMap((rules): readonly Rule[] => Object.values(rules));
