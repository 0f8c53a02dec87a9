import type { Analyser } from '../../contract.ts';
import { javaClass } from './class.ts';
import { jar } from './jar.ts';

export const javaAnalysers: readonly Analyser[] = [jar, javaClass];
