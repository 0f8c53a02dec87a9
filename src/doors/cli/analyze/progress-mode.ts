import type { Door } from '../definition.ts';
import type { ProgressMode } from './live-progress.ts';

/** Programs read stdout, and whoever asks for quiet gets it. */
export function modeOf(
  { quiet, json }: { readonly quiet: boolean; readonly json: boolean },
  { errorTerminal, settings }: Door,
): ProgressMode {
  if (quiet || json || settings.values.logLevel === 'quiet') return 'none';
  return Number.isFinite(errorTerminal.width) ? 'line' : 'plain';
}
