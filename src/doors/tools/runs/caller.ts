import type { Caller, LoadedSettings } from '../../settings/index.ts';
import type { ToolContext } from '../contract.ts';

/** Whoever has something run: the settings, and where relative paths and variables come from. */
export interface RunCaller {
  readonly settings: LoadedSettings;
  readonly caller: Pick<Caller, 'environment' | 'folder' | 'homeFolder'>;
}

export function callerOf({ settings, environment, folder, homeFolder }: ToolContext): RunCaller {
  return { settings, caller: { environment, folder, homeFolder } };
}
