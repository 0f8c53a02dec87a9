import { UsageError } from '../../base/errors.ts';
import { formatJson } from '../../base/format-json.ts';
import type { Renderer } from '../renderer.ts';

export const cyclonedx: Renderer = {
  id: 'cyclonedx',
  title: 'the bill of materials, CycloneDX 1.6',
  endings: ['.cdx.json', '.bom.json'],
  render({ boms }) {
    const [bom] = boms;
    if (boms.length !== 1)
      throw new UsageError('a CycloneDX document has one subject', { hint: 'scan one target at a time' });
    if (bom === null || bom === undefined) {
      throw new UsageError('this target has no dependencies to make a bill of materials from');
    }
    return formatJson(bom);
  },
};
