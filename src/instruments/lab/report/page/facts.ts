import { brief, cut, type Markup, markup, nothing } from '../../../../evidence/renderers/html/markup.ts';
import { count, fold, longTable, section } from '../../../../evidence/renderers/html/pieces.ts';
import type { LabReport } from '../schema.ts';
import { type ToldFacts, type ToldTable, type ToldText, tellReport } from '../told/index.ts';
import { spellBlanks } from '../words.ts';

const mostJson = 20_000;
const mostText = 12_000;
const shown = { rows: 12, textCharacters: 900, pairs: 40, tables: 24, texts: 40 } as const;

function tablePart({ title, columns, rows }: ToldTable): Markup {
  const cells = rows.map((row) => row.map((cell) => brief(spellBlanks(cell), 400)));
  const shape = { columns: columns.map((column) => ({ title: brief(column, 60) })) };
  return markup`<h5>${brief(title, 120)}</h5>${longTable(shape, cells, shown.rows, 'rows')}`;
}

function textPart({ title, text }: ToldText): Markup {
  const content = markup`<pre>${cut(text, mostText)}</pre>`;
  if (text.length > shown.textCharacters) return fold(brief(title, 160), content);
  return markup`<figure><figcaption>${brief(title, 160)}</figcaption>${content}</figure>`;
}

function block({ title, pairs, tables, texts }: ToldFacts): Markup {
  const heads = pairs
    .slice(0, shown.pairs)
    .map(([key, value]) => markup`<div><dt>${brief(key, 80)}</dt><dd>${brief(spellBlanks(value), 600)}</dd></div>`);
  const list = heads.length === 0 ? nothing : markup`<dl class="told">${heads}</dl>`;
  return markup`<div class="block"><h4>${brief(title, 80)}</h4>${list}${texts.slice(0, shown.texts).map(textPart)}${tables.slice(0, shown.tables).map(tablePart)}</div>`;
}

/** What the sample itself says: macros, scripts, decoded layers. */
export function textsSection({ texts = [] }: LabReport): Markup {
  if (texts.length === 0) return nothing;
  const listed = texts.slice(0, shown.texts).map(({ source, label, text, characters }) => {
    const title = `${brief(source, 40)}: ${brief(spellBlanks(label), 120)} (${count(characters, 'character')})`;
    return fold(title, markup`<pre>${cut(text, mostText)}</pre>`);
  });
  return section('texts', 'Code and text', listed, 'As it was read out of the file. It is shown and was not run.');
}

function asJson({ analysers, tools }: LabReport): Markup {
  const told = [...analysers, ...tools].filter(({ facts }) => Object.keys(facts).length > 0);
  return fold(
    'All facts as JSON',
    told.map(({ id, facts }) => fold(id, markup`<pre>${cut(JSON.stringify(facts, null, 1), mostJson)}</pre>`)),
  );
}

export function factSections(report: LabReport): Markup {
  const { main, general } = tellReport(report);
  if (main.length + general.length === 0) return nothing;
  const rest =
    general.length === 0 ? nothing : fold('What is asked of every file, and what tools say', general.map(block));
  return section('facts', 'Facts', markup`${main.map(block)}${rest}${asJson(report)}`);
}
