/** The public face of analysing a server. */
export { analyze } from './analyze.ts';
export type { Analysed, AnalyzeContext, AnalyzeWishes, Focus, Progress, Stage } from './contract.ts';
