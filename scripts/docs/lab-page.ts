import { analysers } from '../../src/instruments/lab/analysers/index.ts';
import { invocationOf, readCatalogue } from '../../src/instruments/lab/catalogue/index.ts';
import { indicatorTypes } from '../../src/instruments/lab/indicators/index.ts';
import { kindTitles } from '../../src/instruments/lab/kinds.ts';
import { type Page, table, titled } from './page.ts';

type ToolEntry = ReturnType<typeof readCatalogue>['tools'][number];

function kindsOf(kinds: 'any' | readonly string[]): string {
  return kinds === 'any' ? 'every file' : kinds.map((kind) => `\`${kind}\``).join(' ');
}

function marksOf({ runsSample, writesFiles, isAutomatic }: ToolEntry): string {
  return [
    ...(isAutomatic ? [] : ['only suggested']),
    ...(runsSample ? ['interprets code of the sample'] : []),
    ...(writesFiles ? ['writes files'] : []),
  ].join(', ');
}

function ownAnalysers(): string {
  return table(
    ['analyser', 'what it reads', 'depth', 'kinds'],
    analysers.map(({ id, title, depth, kinds }) => [`\`${id}\``, title, depth, kindsOf(kinds)]),
  );
}

function externalTools(): string {
  return table(
    ['tool', 'what it is', 'how it is called', 'depth', 'kinds', 'note'],
    readCatalogue().tools.map((tool) => [
      `\`${tool.id}\``,
      tool.title,
      `\`${invocationOf(tool)}\``,
      tool.depth,
      kindsOf(tool.kinds),
      marksOf(tool),
    ]),
  );
}

export const labPage: Page = {
  path: 'docs/reference/lab.md',
  render() {
    const body = [
      'What `hotcell lab` looks with. How it is used is in the [guide](../guides/lab.md); the form of a report is a [schema](../schema/lab-report.json).',
      '## Kinds of files',
      'By content alone; what the name says is compared with it and never believed.',
      table(
        ['kind', 'what it is'],
        Object.entries(kindTitles).map(([id, title]) => [`\`${id}\``, title]),
      ).trim(),
      '## Own analysers',
      'Pure functions on bytes, in threads with limits of time and memory. Nothing of a sample is executed. They are there on every machine.',
      ownAnalysers().trim(),
      '## Tools of others',
      'They add to that where they are installed, each in a box. All are part of REMnux. `hotcell tool check_tools` says which are there. A tool that is missing is named in the report, with what covers it.',
      externalTools().trim(),
      '## Indicators',
      `${indicatorTypes.map((type) => `\`${type}\``).join(', ')}.`,
    ];
    return titled('Lab', body.join('\n\n'));
  },
};
