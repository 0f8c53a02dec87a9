/** A section of OneNote as far as its readers look for files: the head, text, and the store of files. */

const sectionHead = Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex');
const storeHead = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex');
const storeFoot = Buffer.from('22a7fb71790f0b4abb13899256426b24', 'hex');

export function makeStoredFile(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(20);
  head.writeBigUInt64LE(BigInt(bytes.length), 0);
  const padded = Buffer.alloc(Math.ceil(bytes.length / 8) * 8);
  bytes.copy(padded);
  return Buffer.concat([storeHead, head, padded, storeFoot]);
}

export interface SampleNote {
  readonly files: readonly (Buffer | string)[];
  readonly texts: readonly string[];
}

export function makeOneNote({ files, texts }: SampleNote): Buffer {
  const parts = texts.map((text) => Buffer.concat([Buffer.from(text, 'utf16le'), Buffer.alloc(6)]));
  return Buffer.concat([
    sectionHead,
    Buffer.alloc(1008),
    ...parts,
    Buffer.alloc(64),
    ...files.map(makeStoredFile),
    Buffer.alloc(128),
  ]);
}

export function makeScriptNote(): Buffer {
  return makeOneNote({
    files: ['<html><script>document.write("sample")</script></html>', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    texts: ['Click to view the document', 'Open.hta', 'https://note.example.com/a'],
  });
}
