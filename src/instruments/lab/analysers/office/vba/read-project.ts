import { cut, latin1, u16, u32, utf16 } from '../bytes.ts';
import type { CompoundEntry, CompoundFile } from '../compound/read-compound-file.ts';
import { decodePage } from './code-pages.ts';
import { decompressVba } from './decompress.ts';

/** A VBA project as it lies in a compound file: its modules with their sources, and what it refers to. */

export interface VbaModule {
  readonly name: string;
  readonly stream: string;
  readonly type: 'procedural' | 'document-or-class' | 'unknown';
  readonly source: string;
  /** Compiled code before the source: what Office runs when its version made it. */
  readonly cacheBytes: number;
  readonly isWhole: boolean;
  /** The words in the compiled part, for the comparison with the source. */
  readonly cache: Uint8Array;
}

export interface VbaProject {
  /** Path of the storage with the streams. */
  readonly path: string;
  readonly name: string;
  readonly codePage: number;
  readonly modules: readonly VbaModule[];
  readonly references: readonly string[];
  readonly isProtected: boolean;
  /** Names that the compiled project uses. */
  readonly compiled: Uint8Array;
  readonly notes: readonly string[];
}

const maximalModules = 500;
const maximalReferences = 200;
/** Many modules can point into one stream: what is decompressed in all has an end. */
const maximalSources = 12 * 1024 * 1024;

interface ModuleRecord {
  name: string;
  stream: string;
  offset: number;
  type: VbaModule['type'];
}

interface Directory {
  codePage: number;
  name: string;
  readonly modules: ModuleRecord[];
  readonly references: string[];
}

/** What each record of the `dir` stream says; the others are passed over by their size. */
const recordReaders: Readonly<Record<number, (into: Directory, data: Uint8Array) => void>> = {
  3: (into, data) => {
    into.codePage = u16(data, 0);
  },
  4: (into, data) => {
    into.name = decodePage(data, into.codePage);
  },
  13: (into, data) => {
    if (into.references.length < maximalReferences) into.references.push(latin1(cut(data, 4, u32(data, 0))));
  },
  14: (into, data) => {
    if (into.references.length < maximalReferences) into.references.push(latin1(cut(data, 4, u32(data, 0))));
  },
  25: (into, data) => {
    if (into.modules.length >= maximalModules) return;
    const name = decodePage(data, into.codePage);
    into.modules.push({ name, stream: name, offset: 0, type: 'unknown' });
  },
  26: (into, data) => withLast(into, (module) => (module.stream = decodePage(data, into.codePage))),
  50: (into, data) => withLast(into, (module) => (module.stream = utf16(data))),
  71: (into, data) => withLast(into, (module) => (module.name = utf16(data))),
  49: (into, data) => withLast(into, (module) => (module.offset = u32(data, 0))),
  33: (into) => withLast(into, (module) => (module.type = 'procedural')),
  34: (into) => withLast(into, (module) => (module.type = 'document-or-class')),
};

function withLast(into: Directory, change: (module: ModuleRecord) => void): void {
  const last = into.modules.at(-1);
  if (last !== undefined) change(last);
}

export function readDirectory(data: Uint8Array, tick: () => void): Directory {
  const directory: Directory = { codePage: 1252, name: '', modules: [], references: [] };
  for (let at = 0; at + 6 <= data.length; ) {
    tick();
    const id = u16(data, at);
    // The version record has a size of four and six bytes of data.
    const size = id === 9 ? 6 : u32(data, at + 2);
    recordReaders[id]?.(directory, cut(data, at + 6, size));
    at += 6 + size;
  }
  return directory;
}

/** Where a module's offset lies, the source begins with its attributes: `\x01` chunk header, flags, `Attribut`. */
export function findSource(stream: Uint8Array): number {
  const at = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength).indexOf('\0Attribut', 0, 'latin1');
  return at >= 3 && stream[at - 3] === 1 ? at - 3 : -1;
}

function readModule(
  file: CompoundFile,
  storage: string,
  record: ModuleRecord,
  codePage: number,
  tick: () => void,
): VbaModule | null {
  const entry = file.find(storage === '' ? record.stream : `${storage}/${record.stream}`);
  if (entry === undefined) return null;
  const stream = file.read(entry);
  const first = decompressVba(stream, record.offset, tick);
  const found = first.isWhole ? record.offset : findSource(stream);
  const { bytes, isWhole } = found === record.offset || found === -1 ? first : decompressVba(stream, found, tick);
  const cache = cut(stream, 0, found === -1 ? stream.length : found);
  return {
    name: record.name,
    stream: entry.path,
    type: record.type,
    source: decodePage(bytes, codePage),
    cacheBytes: cache.length,
    cache,
    isWhole,
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Streams that hold a source though no directory names them. */
function looseModules(
  file: CompoundFile,
  entries: readonly CompoundEntry[],
  codePage: number,
  tick: () => void,
): VbaModule[] {
  const modules: VbaModule[] = [];
  let left = maximalSources;
  for (const entry of entries) {
    if (modules.length >= maximalModules || left <= 0) break;
    tick();
    const stream = file.read(entry);
    const at = findSource(stream);
    if (at === -1) continue;
    const { bytes, isWhole } = decompressVba(stream, at, tick);
    const cache = cut(stream, 0, at);
    left -= bytes.length;
    modules.push({
      name: entry.name,
      stream: entry.path,
      type: 'unknown',
      source: decodePage(bytes, codePage),
      cacheBytes: at,
      cache,
      isWhole,
    });
  }
  return modules;
}

function readAt(file: CompoundFile, dir: CompoundEntry, tick: () => void): VbaProject {
  const notes: string[] = [];
  const storage = parentOf(dir.path);
  const { bytes, isWhole } = decompressVba(file.read(dir), 0, tick);
  if (!isWhole) notes.push('the list of VBA modules could not be decompressed to its end');
  const directory = readDirectory(bytes, tick);
  const modules: VbaModule[] = [];
  let left = maximalSources;
  for (const record of directory.modules) {
    if (left <= 0) {
      notes.push('the VBA sources are longer than is read');
      break;
    }
    const module = readModule(file, storage, record, directory.codePage, tick);
    if (module === null) notes.push('a VBA module is named that has no stream');
    else modules.push(module);
    left -= module?.source.length ?? 0;
  }
  const named = new Set(modules.map(({ stream }) => stream.toLowerCase()));
  const others = file.entries.filter(
    (entry) =>
      entry.type === 'stream' &&
      parentOf(entry.path) === storage &&
      !named.has(entry.path.toLowerCase()) &&
      entry !== dir,
  );
  const loose = looseModules(file, others, directory.codePage, tick);
  if (loose.length > 0) notes.push('VBA modules lie in streams that the project does not name');
  const project = file.find(`${parentOf(storage) === '' ? '' : `${parentOf(storage)}/`}PROJECT`);
  const compiled = file.find(`${storage === '' ? '' : `${storage}/`}_VBA_PROJECT`);
  return {
    path: storage,
    name: directory.name,
    codePage: directory.codePage,
    modules: [...modules, ...loose],
    references: directory.references,
    // An unprotected project has a DPB value of fixed short length: twelve to sixteen hex digits.
    isProtected: /^DPB="[0-9A-F]{32,}"/im.test(project === undefined ? '' : latin1(file.read(project))),
    compiled: compiled === undefined ? new Uint8Array() : file.read(compiled),
    notes,
  };
}

export function readProjects(file: CompoundFile, tick: () => void): VbaProject[] {
  const directories = file.entries.filter(
    ({ type, name, path }) => type === 'stream' && name.toLowerCase() === 'dir' && /(^|\/)vba\/dir$/i.test(path),
  );
  const projects = directories.slice(0, 20).map((dir) => readAt(file, dir, tick));
  if (projects.length > 0) return projects;
  // Without a directory a source still shows itself by how it begins.
  const streams = file.entries.filter(({ type, size }) => type === 'stream' && size > 16);
  const loose = looseModules(file, streams, 1252, tick);
  if (loose.length === 0) return [];
  const notes = ['VBA sources were found without the list of modules'];
  return [
    {
      path: '',
      name: '',
      codePage: 1252,
      modules: loose,
      references: [],
      isProtected: false,
      compiled: new Uint8Array(),
      notes,
    },
  ];
}
