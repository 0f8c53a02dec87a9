import { z } from 'zod';
import { settingKeys, variableName } from '../../settings/index.ts';
import { defineCommand } from '../definition.ts';
import { formatJson, renderRows } from '../terminal/index.ts';

export const config = defineCommand({
  name: 'config',
  summary: 'print every setting and where it came from',
  description: [
    'Print every setting and where it came from. Settings are taken from flags, then HOTCELL_* variables,',
    'then hotcell.config.json and .env in the working folder, then config.json in the home folder, then defaults.',
    'A name that is not known is an error.',
  ].join('\n'),
  options: [{ flags: '--json', description: 'as one JSON document' }],
  settings: ['backend', 'policy'],
  examples: [
    { line: 'hotcell config', says: 'what is in force here' },
    { line: 'HOTCELL_BACKEND=bwrap hotcell config --json', says: 'as data, with one value from a variable' },
  ],
  input: z.object({ json: z.boolean().default(false) }),
  async run({ json }, _words, { settings, stdout, terminal }) {
    const entries = settingKeys.map((key) => ({
      key,
      value: settings.values[key],
      from: settings.origins[key].where,
      kind: settings.origins[key].kind,
      variable: variableName(key),
    }));
    if (json) {
      const document = entries.map(({ key, ...rest }) => [key, rest] as const);
      stdout.write(formatJson(Object.fromEntries(document)));
      return 0;
    }
    const { style } = terminal;
    const rows = entries.map(({ key, value, from }) => [style.strong(key), value, style.faint(from)]);
    stdout.write(renderRows(rows, { width: terminal.width, indent: 0 }));
    return 0;
  },
});
