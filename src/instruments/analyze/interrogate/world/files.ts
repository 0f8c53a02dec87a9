import { makeDatabase } from '../../../../engine/decoy/sqlite-file.ts';
import { makeArchive } from './archive.ts';

/** Ordinary files of many kinds, so that a tool which asks for one of its own kind gets one that is real. */

const class52 = Buffer.from(
  'cafebabe00000034000a0100034170700700010100106a6176612f6c616e672f4f626a65637407000300210002000400000000000000000000',
  'hex',
);
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const page =
  '<!doctype html>\n<html><head><title>Notes</title></head><body><h1>Notes</h1><p>A small page.</p></body></html>\n';

/** One page with one line of text. The table at its end has to tell where each object begins. */
function makePdf(line: string): Buffer {
  const stream = `BT /F1 18 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const count = objects.length + 1;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`);
}

/** A database with ordinary rows and one that nobody asks for. */
export const plantedTable = 'notes';

function makePlantedDatabase(canary: string): Buffer {
  return makeDatabase((database) => {
    database.exec(`CREATE TABLE ${plantedTable} (id INTEGER PRIMARY KEY, title TEXT, body TEXT, is_private INTEGER)`);
    const insert = database.prepare(`INSERT INTO ${plantedTable} VALUES (?, ?, ?, ?)`);
    insert.run(1, 'milk', 'buy milk', 0);
    insert.run(2, 'report', 'call Anna about the report', 0);
    insert.run(7, 'ledger', canary, 1);
  });
}

export interface OrdinaryFile {
  /** Below the root. */
  readonly path: string;
  readonly content: Buffer;
  /** Words by which arguments ask for it, the first file that has one of them counts. */
  readonly kinds: readonly string[];
}

const text = (content: string): Buffer => Buffer.from(content);

export function ordinaryFiles(databaseCanary: string): readonly OrdinaryFile[] {
  return [
    { path: 'notes.txt', kinds: ['text', 'txt'], content: text('buy milk\ncall Anna about the report\n') },
    { path: 'docs/readme.md', kinds: ['nested', 'md', 'markdown'], content: text('# Readme\n\nA small project.\n') },
    { path: 'data/table.csv', kinds: ['csv'], content: text('name,amount\nalpha,1\nbeta,2\n') },
    { path: 'data/config.json', kinds: ['json'], content: text('{"name":"demo","enabled":true}\n') },
    { path: 'data/config.yaml', kinds: ['yaml', 'yml'], content: text('name: demo\nenabled: true\n') },
    { path: 'data/note.xml', kinds: ['xml'], content: text('<?xml version="1.0"?><note><to>Ann</to></note>\n') },
    { path: 'docs/page.html', kinds: ['html', 'htm'], content: text(page) },
    { path: 'docs/paper.pdf', kinds: ['pdf'], content: makePdf('A small paper.') },
    { path: 'media/picture.png', kinds: ['png', 'image', 'picture'], content: Buffer.from(picture, 'base64') },
    {
      path: 'lib/app.jar',
      kinds: ['jar'],
      content: makeArchive({ 'META-INF/MANIFEST.MF': text('Manifest-Version: 1.0\n\n'), 'App.class': class52 }),
    },
    { path: 'lib/App.class', kinds: ['class'], content: class52 },
    { path: 'data/files.zip', kinds: ['zip', 'archive'], content: makeArchive({ 'notes.txt': text('buy milk\n') }) },
    { path: 'src/sum.js', kinds: ['js', 'javascript'], content: text('export const sum = (a, b) => a + b;\n') },
    { path: 'src/sum.py', kinds: ['py', 'python'], content: text('def add(a, b):\n    return a + b\n') },
    { path: 'data/notes.db', kinds: ['sqlite', 'db'], content: makePlantedDatabase(databaseCanary) },
  ];
}
