import type { Analyser } from '../../contract.ts';
import { machoAnalyser } from './macho.ts';

export const machoAnalysers: readonly Analyser[] = [machoAnalyser];
