import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type MemoryFiles, type OutputFile, watchOutput } from './output-files.ts';

/**
 * 7-Zip as WebAssembly: it sees a file system that lies in memory and nothing else. Every run has an instance of its own,
 * so nothing of one archive is left for the next, and a run that is stopped half-way is simply dropped.
 */

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface WasmInstance {
  readonly exports: { readonly memory: WasmMemory };
}
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => WasmInstance;
}
interface Program {
  readonly FS: MemoryFiles;
  callMain(args: string[]): number;
}
type Factory = (options: object) => Promise<Program>;

/** Thrown through 7-Zip when something of ours says that it is enough. */
export class StoppedError extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(reason);
    this.reason = reason;
  }
}
export type StopReason =
  | 'total-bytes'
  | 'entry-bytes'
  | 'entries'
  | 'ratio'
  | 'output-text'
  | 'wrong-password'
  | 'memory';

export interface SevenZipOrder {
  readonly args: readonly string[];
  /** Files it finds in its folder. */
  readonly inputs: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly memoryBytes: number;
  readonly mostLines: number;
  /** Asked on every read and write; throws when the time is up. */
  readonly tick: () => void;
  /** Caps on what is written below `/out`. */
  readonly output?: { readonly totalBytes: number; readonly entryBytes: number; readonly entries: number };
  /** Looked at while it runs. */
  readonly onError?: (line: string) => void;
  /** Read afterwards. */
  readonly wanted?: string;
}

/** A line of its complaints, and how many files it had begun by then. */
export interface SaidError {
  readonly line: string;
  readonly begun: number;
}

export interface SevenZipRun {
  /** Null when it ended in a way of its own: a crash or too little memory. */
  readonly exitCode: number | null;
  readonly lines: readonly string[];
  readonly errors: readonly SaidError[];
  readonly files: readonly OutputFile[];
  readonly stopped: StopReason | null;
  readonly isOutOfMemory: boolean;
  readonly wanted: Uint8Array | null;
}

export type SevenZip = (order: SevenZipOrder) => Promise<SevenZipRun>;

const pageBytes = 65_536;

/** Compiles the program once; what it gives back runs it as often as asked. */
export function loadSevenZip(): SevenZip {
  const require = createRequire(import.meta.url);
  const factory = require('7z-wasm') as Factory;
  const wasm = Reflect.get(globalThis, 'WebAssembly') as WasmApi;
  const module = new wasm.Module(readFileSync(require.resolve('7z-wasm/7zz.wasm')));
  return (order) => runOnce(factory, wasm, module, order);
}

/** The glue asks this memory to grow and takes an exception for a no: malloc then fails inside. */
function capMemory(memory: WasmMemory, mostBytes: number, refuse: () => void): void {
  const grow = memory.grow.bind(memory);
  Object.defineProperty(memory, 'grow', {
    value: (pages: number): number => {
      if (memory.buffer.byteLength + pages * pageBytes > mostBytes) {
        refuse();
        throw new RangeError('over the limit');
      }
      return grow(pages);
    },
  });
}

async function runOnce(factory: Factory, wasm: WasmApi, module: object, order: SevenZipOrder): Promise<SevenZipRun> {
  const lines: string[] = [];
  const errors: SaidError[] = [];
  let begun = (): number => 0;
  let isOutOfMemory = false;
  let printed = 0;
  const count = (): void => {
    order.tick();
    printed += 1;
    if (printed > order.mostLines) throw new StoppedError('output-text');
  };
  const program = await factory({
    print: (line: string) => {
      count();
      lines.push(line);
    },
    printErr: (line: string) => {
      count();
      errors.push({ line, begun: begun() });
      order.onError?.(line);
    },
    stdin: () => null,
    instantiateWasm: (imports: object, receive: (instance: WasmInstance) => void) => {
      const instance = new wasm.Instance(module, imports);
      capMemory(instance.exports.memory, order.memoryBytes, () => {
        isOutOfMemory = true;
      });
      receive(instance);
    },
  });
  program.FS.mkdir('/in');
  for (const { name, bytes } of order.inputs) placeInput(program.FS, name, bytes);
  program.FS.chdir('/in');
  const output = watchOutput(program.FS, order);
  begun = output.begun;
  const exitCodeBefore = process.exitCode;
  let exitCode: number | null = null;
  let stopped: StopReason | null = null;
  try {
    exitCode = program.callMain([...order.args]);
  } catch (error) {
    if (error instanceof StoppedError) stopped = error.reason;
    else if (!isOwnEnd(error)) throw error;
  } finally {
    // The glue sets it to whatever 7-Zip came to, which is none of this process's business.
    process.exitCode = exitCodeBefore;
  }
  const wanted = order.wanted === undefined || exitCode !== 0 ? null : program.FS.readFile(order.wanted);
  return { exitCode, lines, errors, files: output.files(), stopped, isOutOfMemory, wanted };
}

/** Exceptions of C++ come as numbers; traps and aborts as errors of WebAssembly; full memory as RangeError. */
function isOwnEnd(error: unknown): boolean {
  if (typeof error === 'number') return true;
  return error instanceof Error && (error.name === 'RuntimeError' || error instanceof RangeError);
}

function placeInput(files: MemoryFiles, name: string, bytes: Uint8Array): void {
  const parts = name.split('/');
  let folder = '/in';
  for (const part of parts.slice(0, -1)) {
    folder += `/${part}`;
    if (!files.analyzePath(folder).exists) files.mkdir(folder);
  }
  files.writeFile(`/in/${name}`, bytes, { canOwn: true });
}
