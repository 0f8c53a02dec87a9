import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';

const fileSchema = z.strictObject({ note: z.string(), ids: z.array(z.string()) });

/** Which texts are identifiers of the SPDX list; read once per bill of materials, not once per component. */
export function readSpdxIds(): ReadonlySet<string> {
  return new Set(readRules('sbom/spdx-licences.json', fileSchema).ids);
}
