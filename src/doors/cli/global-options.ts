import { flagName, type SettingKey, settingDefinitions } from '../settings/definitions.ts';
import type { OptionDefinition } from './definition.ts';

/** Settings that belong to single commands; all others are flags of every command. */
export const commandSettings: readonly SettingKey[] = ['backend', 'policy'];

const placeholders: Readonly<Record<SettingKey, string>> = {
  backend: '<id>',
  policy: '<tier|file>',
  home: '<folder>',
  runtimeFolder: '<folder>',
  dockerSocket: '<path>',
  checkpointCopies: '<places>',
  color: '<when>',
  logLevel: '<level>',
};

export function settingOption(key: SettingKey): OptionDefinition {
  return { flags: `${flagName(key)} ${placeholders[key]}`, description: settingDefinitions[key].description };
}

/** Short ways of saying a setting. */
export const shorthands: readonly (OptionDefinition & { readonly key: SettingKey; readonly value: string })[] = [
  { flags: '--no-color', description: 'short for --color never', key: 'color', value: 'never' },
  { flags: '--debug', description: 'short for --log-level debug', key: 'logLevel', value: 'debug' },
];
