import type { IndicatorKind } from '../kind.ts';

/** Read with the paths and file names: those that end in .pdb. */
export const pdbPath: IndicatorKind = {
  type: 'pdb_path',
  title: 'path of debug symbols',
  misp: { type: 'pdb', category: 'Artifacts dropped' },
  readers: [],
};
