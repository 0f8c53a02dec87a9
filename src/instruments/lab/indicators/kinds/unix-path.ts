import type { IndicatorKind } from '../kind.ts';
import { pathComparison } from '../path-comparison.ts';
import { readUnixPath } from '../read-unix-path.ts';

export const unixPath: IndicatorKind = {
  type: 'unix_path',
  title: 'path on Unix',
  misp: { type: 'filename', category: 'Artifacts dropped' },
  stix: { path: 'file:name', comparison: (value, literal) => pathComparison(value, '/', literal) },
  readers: [
    {
      trigger: 'path',
      read: (scan, at) => (/[/~]/.test(scan.text.charAt(at)) ? readUnixPath(scan, at) : undefined),
    },
  ],
};
