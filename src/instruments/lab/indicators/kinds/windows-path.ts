import type { IndicatorKind } from '../kind.ts';
import { pathComparison } from '../path-comparison.ts';
import { readWindowsPath } from '../read-windows-path.ts';

export const windowsPath: IndicatorKind = {
  type: 'windows_path',
  title: 'path on Windows',
  misp: { type: 'filename', category: 'Artifacts dropped' },
  stix: { path: 'file:name', comparison: (value, literal) => pathComparison(value, '\\', literal) },
  readers: [{ trigger: 'path', read: readWindowsPath }],
};
