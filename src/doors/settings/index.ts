export { type AnalysisVariables, analysisVariables, readAnalysisVariables } from './analysis-variables.ts';
export {
  type Caller,
  flagName,
  type SettingKey,
  type Settings,
  settingDefinitions,
  settingKeys,
  variableName,
} from './definitions.ts';
export { type LabFlags, labFlagNames, labVariable, repeatLabFlags } from './lab-flags.ts';
export { readLabOptions } from './lab-options.ts';
export { ledgerFolder, ledgerOptions } from './ledger-options.ts';
export { type Flags, type LoadedSettings, loadSettings, type Origin } from './load.ts';
export { type ProbeFlags, probeFlagNames, probeVariable, repeatProbeFlags } from './probe-flags.ts';
export { readProbeOptions } from './probe-options.ts';
