export { type Advice, type AdviceInput, adviseOn, type TriageSignal, triageSignals } from './advisories.ts';
export {
  type AdditionalTool,
  additionalTools,
  buildArguments,
  type Catalogue,
  type CheckedCommand,
  commandsToCheck,
  findTool,
  invocationOf,
  type Places,
  readCatalogue,
  type ToolChoice,
  toolsFor,
} from './catalogue.ts';
export { type Judgement, judgeExit, type ToolEnd, type ToolStatus } from './exit.ts';
export { parseOutput, parsers } from './parsers/index.ts';
export { hintsFor, playbookFor } from './playbooks.ts';
export type { ExitStatus, IndexGroup, ToolEntry } from './schema.ts';
