import type { Analyser } from '../../contract.ts';
import { office } from './office.ts';

export { type CompoundEntry, type CompoundFile, readCompoundFile } from './compound/read-compound-file.ts';

export const officeAnalysers: readonly Analyser[] = [office];
