import type { AnalysisVariables, LoadedSettings, Settings } from '../../settings/index.ts';

/** Whoever set the backend for Hotcell meant this more than a variable that other tools read too. */
export function chooseBackend(
  { values, origins }: LoadedSettings,
  { backend }: AnalysisVariables,
): Settings['backend'] {
  return origins.backend.kind === 'default' && backend !== undefined ? backend : values.backend;
}
