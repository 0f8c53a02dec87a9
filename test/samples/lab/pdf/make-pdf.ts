import { deflateSync } from 'node:zlib';

/** Harmless PDF documents, each built for one thing that an analyser must see. */

export interface PdfPart {
  readonly dictionary: string;
  readonly stream?: Uint8Array;
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Writes objects 1, 2, … with a cross-reference table that is right. */
export function writePdf(parts: readonly PdfPart[], trailer = '', version = '1.7'): Uint8Array {
  const out: Buffer[] = [latin1(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`)];
  const offsets: number[] = [];
  let length = out[0]?.length ?? 0;
  const push = (piece: Buffer): void => {
    out.push(piece);
    length += piece.length;
  };
  for (const [index, { dictionary, stream }] of parts.entries()) {
    offsets.push(length);
    push(latin1(`${index + 1} 0 obj\n`));
    if (stream === undefined) push(latin1(`${dictionary}\nendobj\n`));
    else {
      push(latin1(`${dictionary.replace(/>>$/, ` /Length ${stream.length} >>`)}\nstream\n`));
      push(Buffer.concat([stream, latin1('\nendstream\nendobj\n')]));
    }
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  push(latin1(`xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${rows}`));
  push(latin1(`trailer\n<< /Size ${parts.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(out);
}

const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';
const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';

export const pdfScript =
  'app.alert("harmless marker"); var u = unescape("%u4141"); app.launchURL("http://pdf.example.com/x");';

export function plainPdf(): Uint8Array {
  return writePdf(
    [
      { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
      { dictionary: pages },
      { dictionary: page },
      {
        dictionary: "<< /Title (A \\(plain\\) page) /Author <FEFF00C40042> /CreationDate (D:20240131120000+01'00') >>",
      },
    ],
    '/Info 4 0 R',
  );
}

export function ascii85(bytes: Uint8Array): Buffer {
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const part = bytes.subarray(at, at + 4);
    let value = 0;
    for (let index = 0; index < 4; index += 1) value = value * 256 + (part[index] ?? 0);
    let digits = '';
    for (let index = 0; index < 5; index += 1) {
      digits = String.fromCharCode(33 + (value % 85)) + digits;
      value = Math.floor(value / 85);
    }
    out += digits.slice(0, part.length + 1);
  }
  return latin1(`${out}~>`);
}

/** Opens with a script, links, starts a program, sends a form, carries a file; one name is disguised. */
export function actionPdf(): Uint8Array {
  const attachment = Buffer.concat([latin1('MZ'), Buffer.alloc(80, 0x41), latin1('marker of a program')]);
  return writePdf([
    {
      dictionary:
        '<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R /Names << /EmbeddedFiles << /Names [(tool.exe) 7 0 R] >> >> >>',
    },
    { dictionary: pages },
    { dictionary: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [6 0 R 9 0 R 10 0 R] >>' },
    { dictionary: '<< /Type /Action /S /J#61vaScript /JS 5 0 R >>' },
    { dictionary: '<< /Filter [/ASCII85Decode /FlateDecode] >>', stream: ascii85(deflateSync(latin1(pdfScript))) },
    {
      dictionary:
        '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://link.example.com/login?a=1) >> >>',
    },
    { dictionary: '<< /Type /Filespec /F (tool.exe) /UF (tool.exe) /EF << /F 8 0 R >> >>' },
    { dictionary: '<< /Type /EmbeddedFile /Filter /FlateDecode >>', stream: deflateSync(attachment) },
    {
      dictionary:
        '<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /AA << /D << /S /Launch /F (cmd.exe) /Win << /F (cmd.exe) /P (/c echo marker) >> >> >> >>',
    },
    {
      dictionary:
        '<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /A << /S /SubmitForm /F << /FS /URL /F (http://form.example.com/post) >> >> >>',
    },
  ]);
}

/** The page and a script lie in an object stream, packed with a PNG predictor. */
export function objectStreamPdf(): Uint8Array {
  const inner = [
    '<< /Type /Action /S /JavaScript /JS (app.alert\\("packed"\\);) >>',
    '<< /S /URI /URI (http://in.example.com/) >>',
  ];
  const head = `5 0 6 ${(inner[0]?.length ?? 0) + 1} `;
  const plain = latin1(`${head}${inner.join(' ')}`);
  const columns = 16;
  const rows: Buffer[] = [];
  let above = Buffer.alloc(columns);
  for (let at = 0; at < plain.length; at += columns) {
    const row = Buffer.alloc(columns, 32);
    plain.copy(row, 0, at, at + columns);
    rows.push(Buffer.concat([Buffer.from([2]), row.map((byte, index) => (byte - (above[index] ?? 0)) & 255)]));
    above = row;
  }
  return writePdf([
    { dictionary: '<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R >>' },
    { dictionary: pages },
    { dictionary: page },
    {
      dictionary: `<< /Type /ObjStm /N 2 /First ${head.length} /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns ${columns} >> >>`,
      stream: deflateSync(Buffer.concat(rows)),
    },
  ]);
}

/** Junk in front, no cross-reference table, an update, and data behind the end. */
export function damagedPdf(): Uint8Array {
  const body = Buffer.from(actionPdf()).toString('latin1');
  const cut = body.slice(0, body.indexOf('xref\n'));
  const update = '4 0 obj\n<< /S /URI /URI (http://second.example.com/) >>\nendobj\n%%EOF\n';
  return latin1(`GIF89a-not-really\n${cut}trailer\n<< /Root 1 0 R >>\n%%EOF\n${update}appended bytes, a marker`);
}
