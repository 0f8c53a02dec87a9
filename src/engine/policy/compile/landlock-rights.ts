import type { PathAccess } from '../paths.ts';

/** The rights of Landlock, with the version of its interface that brought each. */

const fileSystem = {
  execute: [0n, 1],
  writeFile: [1n, 1],
  readFile: [2n, 1],
  readFolder: [3n, 1],
  removeFolder: [4n, 1],
  removeFile: [5n, 1],
  makeCharacterDevice: [6n, 1],
  makeFolder: [7n, 1],
  makeFile: [8n, 1],
  makeSocket: [9n, 1],
  makePipe: [10n, 1],
  makeBlockDevice: [11n, 1],
  makeLink: [12n, 1],
  refer: [13n, 2],
  truncate: [14n, 3],
  deviceControl: [15n, 5],
} as const satisfies Readonly<Record<string, readonly [bit: bigint, since: number]>>;

export type FileRight = keyof typeof fileSystem;

const network = { bindTcp: [0n, 4], connectTcp: [1n, 4] } as const;
const scopes = { abstractSocket: [0n, 6], signal: [1n, 6] } as const;

type Rights = Readonly<Record<string, readonly [bit: bigint, since: number]>>;

function allSince(rights: Rights, abi: number): bigint {
  return Object.values(rights).reduce((sum, [bit, since]) => (since <= abi ? sum | (1n << bit) : sum), 0n);
}

export const handledFileSystem = (abi: number): bigint => allSince(fileSystem, abi);
export const handledNetwork = (abi: number): bigint => allSince(network, abi);
export const handledScopes = (abi: number): bigint => allSince(scopes, abi);
export const bindTcp = 1n << network.bindTcp[0];
export const connectTcp = 1n << network.connectTcp[0];

const read: readonly FileRight[] = ['readFile', 'readFolder'];
const write: readonly FileRight[] = [
  ...read,
  ...([
    'writeFile',
    'removeFolder',
    'removeFile',
    'makeFolder',
    'makeFile',
    'makeSocket',
    'makePipe',
    'makeLink',
  ] as const),
  ...(['refer', 'truncate'] as const),
];
const execute: readonly FileRight[] = [...read, 'execute'];

/** The kernel refuses a rule on a file that names a right of folders. */
const ofFiles: ReadonlySet<FileRight> = new Set(['execute', 'writeFile', 'readFile', 'truncate', 'deviceControl']);

export function rightsOf(access: PathAccess, type: 'file' | 'folder' | 'other', abi: number): bigint {
  const wanted = new Set<FileRight>([
    ...(access.read ? read : []),
    ...(access.write ? write : []),
    ...(access.execute ? execute : []),
  ]);
  return bits(
    Array.from(wanted).filter((right) => type === 'folder' || ofFiles.has(right)),
    abi,
  );
}

export function bits(rights: readonly FileRight[], abi: number): bigint {
  return rights.reduce((sum, right) => {
    const [bit, since] = fileSystem[right];
    return since <= abi ? sum | (1n << bit) : sum;
  }, 0n);
}

export function nameRights(value: bigint): readonly FileRight[] {
  return (Object.keys(fileSystem) as FileRight[]).filter((right) => (value & (1n << fileSystem[right][0])) !== 0n);
}
