import type { Analyser } from '../../contract.ts';
import { lnk } from './lnk.ts';

export const lnkAnalysers: readonly Analyser[] = [lnk];
