import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BaitFiles, otherUser, plantFiles } from './files.ts';
import { type Helper, type HelperOptions, startHelper } from './helper.ts';
import { type Listeners, openListeners } from './listeners.ts';
import { hostBytes, hostFiles, hostWords, ownAddresses, resolvers, rootDisk } from './machine.ts';

/** Everything on the host that a target could touch if its box did not hold. */
export interface Scene {
  readonly runtimeFolder: string;
  readonly files: BaitFiles;
  readonly listeners: Listeners;
  readonly victims: { readonly root: Helper; readonly other: Helper };
  readonly kernelObjects: Helper;
  readonly parameters: Readonly<Record<string, string>>;
  /** Secrets that are in no parameter: whoever shows one has been outside. */
  readonly secrets: readonly Buffer[];
  readonly hostFiles: readonly Buffer[];
  readonly words: readonly string[];
  close(): Promise<void>;
}

const queueNumbers = { x64: ['240', '241'], arm64: ['180', '181'] } as const;

/** What a careless box would hand down from its caller. */
export function baitEnvironment(secret: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: '/nonexistent-marker.so',
    LD_LIBRARY_PATH: '/nonexistent-marker',
    NODE_OPTIONS: '--marker',
    PERL5OPT: '-Mnonexistent_marker',
    PYTHONSTARTUP: '/nonexistent-marker.py',
    BASH_ENV: '/nonexistent-marker.sh',
    ENV: '/nonexistent-marker.sh',
    SECRET_TOKEN: secret,
  };
}

/** Puts bait into the environment of this process; the result takes it out again. */
function spoilEnvironment(secret: string): () => void {
  const bait = baitEnvironment(secret);
  const before = { ...process.env };
  Object.assign(process.env, bait);
  return () => {
    for (const name of Object.keys(bait)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  };
}

function makeFolder(prefix: string, mode: number, undo: AsyncDisposableStack): string {
  const folder = mkdtempSync(prefix);
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, mode);
  return folder;
}

async function build(undo: AsyncDisposableStack): Promise<Omit<Scene, 'close'>> {
  const nonce = randomBytes(6).toString('hex');
  const objectSecret = randomBytes(24).toString('hex');
  const environmentSecret = randomBytes(24).toString('hex');
  const victimName = `victim-${randomBytes(12).toString('hex')}`;
  const base = makeFolder('/tmp/hotcell-escape-', 0o755, undo);
  const runtimeFolder = makeFolder('/tmp/hotcell-boxes-', 0o711, undo);
  const files = await plantFiles();
  undo.defer(() => files.remove());
  const listeners = await openListeners(base, nonce);
  undo.defer(() => listeners.close());
  const help = async (name: string, options: HelperOptions): Promise<Helper> => {
    const helper = await startHelper(name, options);
    undo.defer(() => helper.close());
    return helper;
  };
  const victims = {
    root: await help('victim.pl', { args: [victimName] }),
    other: await help('victim.pl', { args: [victimName], user: otherUser }),
  };
  const ipcKey = String(randomBytes(4).readUInt32LE() & 0x7fff_ffff);
  const queue = `hotcell-${nonce}`;
  const unixDatagram = join(base, 'sockets', 'datagram');
  const queueCalls = queueNumbers[process.arch === 'arm64' ? 'arm64' : 'x64'];
  const kernelObjects = await help('kernel-objects.pl', {
    args: [ipcKey, queue, unixDatagram, ...queueCalls],
    input: `${objectSecret}\n`,
  });
  const disk = rootDisk();
  const addresses = ownAddresses();
  undo.defer(spoilEnvironment(environmentSecret));
  return {
    runtimeFolder,
    files,
    listeners,
    victims,
    kernelObjects,
    secrets: [
      files.secret,
      files.sharedMemorySecret,
      ...[objectSecret, environmentSecret, victimName].map((text) => Buffer.from(text)),
      ...hostBytes(),
    ],
    hostFiles: hostFiles(),
    words: hostWords(),
    parameters: {
      bait: files.folder,
      secret: files.secretFile,
      openFile: files.openFile,
      openFolder: files.openFolder,
      timesFile: files.timesFile,
      setuidProgram: files.setuidProgram,
      capableProgram: files.capableProgram,
      sharedMemory: files.sharedMemoryName,
      runtime: runtimeFolder,
      hotcell: String(process.pid),
      victimRoot: String(victims.root.pid),
      victimOther: String(victims.other.pid),
      rootDisk: disk.path,
      diskMajor: disk.major,
      diskMinor: disk.minor,
      tcpPort: String(listeners.tcpPort),
      udpPort: String(listeners.udpPort),
      freePort: String(listeners.freePort),
      unixSocket: listeners.unixSocket,
      unixDatagram,
      dockerBait: listeners.dockerBait,
      abstract: listeners.abstractName,
      addresses: addresses.four.join(','),
      addresses6: addresses.six.join(','),
      resolvers: resolvers().join(','),
      terminal: kernelObjects.greeting,
      ipcKey,
      queue,
    },
  };
}

export async function setScene(): Promise<Scene> {
  const undo = new AsyncDisposableStack();
  try {
    return { ...(await build(undo)), close: () => undo.disposeAsync() };
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}
