import type { Analyser } from '../../contract.ts';
import { dotnetAnalyser } from './dotnet/dotnet.ts';
import { peAnalyser } from './pe.ts';

export const peAnalysers: readonly Analyser[] = [peAnalyser, dotnetAnalyser];
