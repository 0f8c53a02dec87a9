import { flagName, settingDefinitions, settingKeys, variableName } from '../../src/doors/settings/index.ts';
import { type Page, table, titled } from './page.ts';

export const settingsPage: Page = {
  path: 'docs/reference/settings.md',
  render() {
    const rows = settingKeys.map((key) => {
      const { description, shownDefault } = settingDefinitions[key];
      return [`\`${key}\``, `\`${flagName(key)}\``, `\`${variableName(key)}\``, shownDefault, description];
    });
    const body = [
      'A value is taken from the first of these places that has it:',
      [
        '1. a flag on the command line',
        '2. a `HOTCELL_*` variable of the environment',
        '3. `hotcell.config.json` in the working folder',
        '4. `.env` in the working folder, of which only `HOTCELL_*` names are looked at',
        '5. `config.json` in the home folder (which cannot say where the home folder is)',
        '6. the default',
      ].join('\n'),
      'A name that is not known, in any of these places, is an error. `hotcell config` prints every value with where it came from.',
      'Files in the working folder may come with the software that is studied there. When `hotcell box` takes the backend, the policy or a path from them, it says so.',
      table(['key', 'flag', 'variable', 'default', 'meaning'], rows).trim(),
    ];
    return titled('Settings', body.join('\n\n'));
  },
};
