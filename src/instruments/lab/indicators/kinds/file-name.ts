import type { IndicatorKind } from '../kind.ts';
import { readFileName } from '../read-name.ts';

export const fileName: IndicatorKind = {
  type: 'file_name',
  title: 'file name',
  misp: { type: 'filename', category: 'Payload delivery' },
  stix: { path: 'file:name', observable: (value) => ({ type: 'file', name: value }) },
  readers: [{ trigger: 'name', read: readFileName }],
};
