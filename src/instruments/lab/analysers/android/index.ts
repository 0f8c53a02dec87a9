import type { Analyser } from '../../contract.ts';
import { apk } from './apk.ts';
import { dexAnalyser } from './dex.ts';

export const androidAnalysers: readonly Analyser[] = [apk, dexAnalyser];
