import type { Collector } from '../collector.ts';
import { ddeKind } from '../kinds-of-findings.ts';
import { reportMacroSheets, reportSheets, type WorkbookName, type XlmCell } from '../xlm/report.ts';
import { xmlText, type ZipFile } from '../zip/read-zip.ts';
import { readRelationships } from './relationships.ts';
import { scanXml } from './scan-xml.ts';

/** Sheets, names, macros of Excel 4 and links to programs of an xlsx or xlsm. */

interface SheetEntry {
  readonly name: string;
  readonly state: string;
  readonly relation: string;
}

const states: Readonly<Record<string, string>> = { hidden: 'hidden', veryhidden: 'very hidden' };
const maximalCells = 20_000;

function readWorkbook(text: string, tick: () => void): { sheets: SheetEntry[]; names: WorkbookName[] } {
  const sheets: SheetEntry[] = [];
  const names: WorkbookName[] = [];
  let open: { name: string; isHidden: boolean; refersTo: string } | null = null;
  scanXml(
    text,
    {
      tag(tag) {
        if (tag.name === 'sheet' && !tag.isEnd && sheets.length < 1000) {
          const values = tag.attributes();
          const state = states[(values.get('state') ?? '').toLowerCase()] ?? 'visible';
          sheets.push({ name: values.get('name') ?? '', state, relation: values.get('id') ?? '' });
        } else if (tag.name === 'definedName' && tag.isEnd) {
          if (open !== null && names.length < 5000) names.push(open);
          open = null;
        } else if (tag.name === 'definedName') {
          const values = tag.attributes();
          open = { name: values.get('name') ?? '', isHidden: values.get('hidden') === '1', refersTo: '' };
        }
      },
      text(part) {
        if (open !== null && open.refersTo.length < 4096) open.refersTo += part;
      },
    },
    tick,
  );
  return { sheets, names };
}

/** The target and kind of each relationship of the workbook, by its id. */
function targets(text: string, tick: () => void): Map<string, { target: string; type: string }> {
  const ids: string[] = [];
  scanXml(
    text,
    { tag: (tag) => void (tag.name === 'Relationship' && !tag.isEnd && ids.push(tag.attributes().get('Id') ?? '')) },
    tick,
  );
  const relations = readRelationships(text, 'xl/workbook.xml', tick);
  return new Map(relations.map(({ target, type }, index) => [ids[index] ?? '', { target, type }]));
}

function cellsOf(text: string, sheet: string, tick: () => void): XlmCell[] {
  const cells: XlmCell[] = [];
  let cell = '';
  let formula = '';
  let value = '';
  let inside: 'f' | 'v' | 't' | '' = '';
  scanXml(
    text,
    {
      tag(tag) {
        if (tag.name === 'c' && !tag.isEnd) {
          cell = tag.attributes().get('r') ?? '';
          formula = '';
          value = '';
        } else if (tag.name === 'c' && (formula !== '' || value !== '') && cells.length < maximalCells) {
          const isFormula = formula !== '';
          cells.push({
            sheet,
            cell,
            text: isFormula ? `=${formula}` : value,
            ...(isFormula && value !== '' && { value }),
          });
        } else if (tag.name === 'f' || tag.name === 'v' || tag.name === 't')
          inside = tag.isEnd || tag.isEmpty ? '' : tag.name;
      },
      text(part) {
        if (inside === 'f' && formula.length < 16_384) formula += part;
        else if (inside !== '' && value.length < 4096) value += part;
      },
    },
    tick,
  );
  return cells;
}

function reportDde(collector: Collector, zip: ZipFile, tick: () => void): void {
  for (const part of zip.parts.filter(({ name }) => /^xl\/externalLinks\/[^/]+\.xml$/i.test(name)).slice(0, 100)) {
    const content = zip.read(part);
    if (content === null) continue;
    scanXml(
      xmlText(content),
      {
        tag(tag) {
          if (tag.name !== 'ddeLink' || tag.isEnd) return;
          const values = tag.attributes();
          const text = `${values.get('ddeService') ?? ''}|${values.get('ddeTopic') ?? ''}`;
          collector.finding(ddeKind, { where: `part ${part.name}`, text });
          collector.text('DDE link', text.replace('|', ' '));
        },
      },
      tick,
    );
  }
}

function partNamed(zip: ZipFile, target: string): Uint8Array | null {
  const part = zip.find(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  return part === undefined ? null : zip.read(part);
}

export function examineWorkbookParts(collector: Collector, zip: ZipFile, tick: () => void): boolean {
  reportDde(collector, zip, tick);
  const main = zip.find('xl/workbook.xml');
  const content = main === undefined ? null : zip.read(main);
  if (content === null) {
    if (zip.find('xl/workbook.bin') !== undefined)
      collector.note('the workbook is binary (xlsb): its sheets are not read');
    return zip.parts.some(({ name }) => /^xl\/macrosheets\//i.test(name));
  }
  const { sheets, names } = readWorkbook(xmlText(content), tick);
  const relationsPart = zip.find('xl/_rels/workbook.xml.rels');
  const relations = relationsPart === undefined ? null : zip.read(relationsPart);
  const byId =
    relations === null ? new Map<string, { target: string; type: string }>() : targets(xmlText(relations), tick);
  const described = sheets.map(({ name, state, relation }) => {
    const target = byId.get(relation);
    const isMacro = /macrosheet/i.test(target?.type ?? '') || /macrosheets\//i.test(target?.target ?? '');
    return { name, state, type: isMacro ? 'macro sheet' : 'worksheet', target: target?.target ?? '' };
  });
  reportSheets(collector, described);
  const cells = described
    .filter(({ type }) => type === 'macro sheet')
    .flatMap(({ name, target }) => {
      const sheet = partNamed(zip, target);
      return sheet === null ? [] : cellsOf(xmlText(sheet), name, tick);
    });
  return reportMacroSheets(collector, described, names, cells.slice(0, maximalCells), tick);
}
