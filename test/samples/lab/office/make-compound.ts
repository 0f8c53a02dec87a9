import CFB from 'cfb';

/** Compound files by path and content, written by another library than the one under test. */

export function makeCompound(streams: Readonly<Record<string, Buffer | string>>, clsid?: string): Buffer {
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${path}`, Buffer.from(content));
  const root = file.FileIndex[0];
  if (clsid !== undefined && root !== undefined) Object.assign(root, { clsid });
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Buffer);
}
