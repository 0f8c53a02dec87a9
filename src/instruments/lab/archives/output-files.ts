import { StoppedError } from './seven-zip.ts';

/**
 * What 7-Zip writes below `/out` goes into numbered files of one flat folder, each new: a name of an archive never meets a
 * file system, not even this one, so links, collisions, long names and ways out have nothing to work on.
 */

export interface MemoryStream {
  readonly node: { readonly name: string };
  readonly position: number;
}
export interface MemoryFiles {
  mkdir(path: string, mode?: number): unknown;
  chdir(path: string): void;
  writeFile(path: string, bytes: Uint8Array, options?: { readonly canOwn?: boolean }): void;
  readFile(path: string): Uint8Array;
  analyzePath(path: string): { readonly exists: boolean };
  open(path: string, flags: string | number, mode?: number): MemoryStream;
  write(stream: MemoryStream, buffer: unknown, offset: number, length: number, position?: number): number;
  read(stream: MemoryStream, buffer: unknown, offset: number, length: number, position?: number): number;
  ftruncate(fd: number, length: number): void;
  getStream(fd: number): MemoryStream | null;
  readonly ErrnoError: new (code: number) => Error;
}

export interface OutputFile {
  /** The path that 7-Zip made of the name. */
  readonly path: string;
  /** 7-Zip asked for a link of this path: the bytes are where it leads. */
  readonly isLink: boolean;
  readonly bytes: () => Uint8Array;
}

export interface Output {
  readonly files: () => readonly OutputFile[];
  readonly begun: () => number;
}

export interface OutputOrder {
  readonly tick: () => void;
  readonly output?: { readonly totalBytes: number; readonly entryBytes: number; readonly entries: number };
}

const outFolder = '/out/';
const flatFolder = '/flat';
const noSuchFile = 44;
const notPermitted = 63;
const createFlag = 0o100;

/** Everything that asks about or changes a path; below `/out` it finds nothing there and changes nothing. */
const lookups = ['stat', 'lstat', 'readlink', 'lookupPath'] as const;
const changes = ['mkdir', 'chmod', 'lchmod', 'chown', 'utime', 'unlink', 'rmdir', 'truncate'] as const;

type Method = (...args: unknown[]) => unknown;

function isOutput(path: unknown): path is string {
  return typeof path === 'string' && (path.startsWith(outFolder) || path === '/out');
}

export function watchOutput(files: MemoryFiles, order: OutputOrder): Output {
  const methods = files as unknown as Record<string, Method>;
  const opened: { path: string; flat: string; sizeBytes: number; isLink: boolean }[] = [];
  const byFlat = new Map<string, { sizeBytes: number }>();
  let total = 0;
  const plain = {
    open: files.open.bind(files),
    write: files.write.bind(files),
    read: files.read.bind(files),
    truncate: files.ftruncate.bind(files),
  };
  files.read = (...args) => {
    order.tick();
    return plain.read(...args);
  };
  const limits = order.output;
  if (limits === undefined) return { files: () => [], begun: () => 0 };
  files.mkdir(flatFolder);
  for (const name of lookups) replace(methods, name, isOutput, () => fail(files, noSuchFile));
  for (const name of changes) replace(methods, name, isOutput, () => undefined);
  const originals = { symlink: methods.symlink, rename: methods.rename };
  methods.rename = (from, to) => (isOutput(to) ? fail(files, notPermitted) : originals.rename?.call(files, from, to));
  methods.symlink = (text, path) => {
    if (!isOutput(path)) return originals.symlink?.call(files, text, path);
    // What the entry holds is kept: a file may only be marked as a link, so that it is passed over here and not elsewhere.
    const name = path.slice(outFolder.length);
    const begun = opened.find((file) => file.path === name && file.sizeBytes === 0 && !file.isLink);
    if (begun !== undefined) {
      begun.isLink = true;
      files.writeFile(`${flatFolder}/${begun.flat}`, Buffer.from(String(text)));
    }
    return fail(files, notPermitted);
  };
  files.open = (path, flags, mode) => {
    if (!isOutput(path)) return plain.open(path, flags, mode);
    if (typeof flags !== 'number' || (flags & createFlag) === 0) return fail(files, noSuchFile);
    if (opened.length >= limits.entries) throw new StoppedError('entries');
    const file = { path: path.slice(outFolder.length), flat: String(opened.length), sizeBytes: 0, isLink: false };
    opened.push(file);
    byFlat.set(file.flat, file);
    return plain.open(`${flatFolder}/${file.flat}`, 'w+');
  };
  files.write = (stream, buffer, offset, length, position) => {
    const file = byFlat.get(stream.node.name);
    if (file !== undefined) {
      order.tick();
      total += length;
      file.sizeBytes = Math.max(file.sizeBytes, (position ?? stream.position) + length);
      if (file.sizeBytes > limits.entryBytes) throw new StoppedError('entry-bytes');
      if (total > limits.totalBytes) throw new StoppedError('total-bytes');
    }
    return plain.write(stream, buffer, offset, length, position);
  };
  files.ftruncate = (fd, length) => {
    const file = byFlat.get(files.getStream(fd)?.node.name ?? '');
    // Room asked for in advance goes by what the archive claims: it is not made until something is written.
    if (file === undefined || length < file.sizeBytes) plain.truncate(fd, length);
  };
  return {
    files: () =>
      opened.map(({ path, flat, isLink }) => ({ path, isLink, bytes: () => files.readFile(`${flatFolder}/${flat}`) })),
    begun: () => opened.length,
  };
}

function replace(
  methods: Record<string, Method>,
  name: string,
  isOurs: (path: unknown) => boolean,
  then: Method,
): void {
  const original = methods[name];
  if (original === undefined) return;
  methods[name] = (...args) => (isOurs(args[0]) ? then(...args) : original.apply(methods, args));
}

function fail(files: MemoryFiles, code: number): never {
  throw new files.ErrnoError(code);
}
