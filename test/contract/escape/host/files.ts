import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runToolOrFail } from '../../../../src/base/process.ts';

/** Files of another user in /tmp that anybody on this host can read, and some that anybody can write. */
export interface BaitFiles {
  readonly folder: string;
  readonly secret: Buffer;
  readonly secretFile: string;
  readonly openFile: string;
  readonly openFolder: string;
  /** Its times are not watched: the one attempt that is after them says itself whether it changed them. */
  readonly timesFile: string;
  readonly sharedMemoryName: string;
  readonly sharedMemorySecret: Buffer;
  readonly setuidProgram: string;
  readonly capableProgram: string;
  /** One line per difference to what was planted; then what is found becomes what is expected. */
  findChanges(): readonly string[];
  remove(): void;
}

/** A user that owns nothing else: as high as those of the boxes, but in no range that they take. */
export const otherUser = 0x6fff_fff0;

/** cap_dac_read_search, permitted and effective, as the kernel keeps it in an extended attribute (revision 2). */
const setCapability = `my $value = pack('L5', 0x02000001, 4, 0, 0, 0);
my ($path, $name) = ($ARGV[0], 'security.capability');
syscall($ARGV[1] + 0, $path, $name, $value, length $value, 0) == 0 or die "setxattr: $!";`;
const setxattrNumber = { x64: 188, arm64: 5 } as const;

const timesFileName = 'times-file';

function describe(path: string): string {
  const { mode, uid, gid, size, nlink, ...facts } = lstatSync(path);
  const mtimeMs = path.endsWith(`/${timesFileName}`) ? 0 : facts.mtimeMs;
  const content = lstatSync(path).isFile() ? readFileSync(path).toString('base64').slice(0, 400) : '';
  return JSON.stringify({ mode, uid, gid, nlink, size: content === '' ? 0 : size, mtimeMs, content });
}

function describeTree(folder: string): Map<string, string> {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ];
  return new Map(paths.map((path) => [path, describe(path)]));
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...before]
    .filter(([path, was]) => after.get(path) !== was)
    .map(([path]) => `${path} was changed or removed`);
  const made = [...after.keys()].filter((path) => !before.has(path)).map((path) => `${path} was made`);
  return [...changed, ...made];
}

export async function plantFiles(): Promise<BaitFiles> {
  const folder = mkdtempSync('/tmp/other-user-');
  const secret = randomBytes(24);
  const at = (name: string): string => join(folder, name);
  const openFolder = at('open');
  mkdirSync(openFolder);
  const secretLine = Buffer.from(`secret ${secret.toString('hex')}\n`);
  writeFileSync(at('secret'), secretLine);
  writeFileSync(at('open-file'), 'anybody may write here\n');
  writeFileSync(at(timesFileName), 'anybody may touch this\n');
  writeFileSync(join(openFolder, 'remove-me'), 'anybody may remove this\n');
  writeFileSync(join(openFolder, 'secret'), secretLine);
  copyFileSync('/usr/bin/id', at('setuid-id'));
  copyFileSync('/usr/bin/cat', at('capable-cat'));
  const modes: readonly (readonly [string, number])[] = [
    [folder, 0o755],
    [at('secret'), 0o644],
    [at('open-file'), 0o666],
    [at(timesFileName), 0o666],
    [openFolder, 0o777],
    [join(openFolder, 'remove-me'), 0o666],
    [join(openFolder, 'secret'), 0o644],
  ];
  for (const [path, mode] of modes) {
    chownSync(path, otherUser, otherUser);
    chmodSync(path, mode);
  }
  chmodSync(at('setuid-id'), 0o4755);
  chmodSync(at('capable-cat'), 0o755);
  const number = setxattrNumber[process.arch === 'arm64' ? 'arm64' : 'x64'];
  await runToolOrFail('/usr/bin/perl', ['-e', setCapability, at('capable-cat'), String(number)]);

  const sharedMemoryName = `hotcell-bait-${secret.toString('hex').slice(0, 8)}`;
  const sharedMemorySecret = randomBytes(24);
  writeFileSync(join('/dev/shm', sharedMemoryName), sharedMemorySecret.toString('hex'));
  chmodSync(join('/dev/shm', sharedMemoryName), 0o666);

  let expected = describeTree(folder);
  return {
    folder,
    secret: Buffer.from(secret.toString('hex')),
    secretFile: at('secret'),
    openFile: at('open-file'),
    timesFile: at(timesFileName),
    openFolder,
    sharedMemoryName,
    sharedMemorySecret: Buffer.from(sharedMemorySecret.toString('hex')),
    setuidProgram: at('setuid-id'),
    capableProgram: at('capable-cat'),
    findChanges() {
      const now = describeTree(folder);
      const changes = compare(expected, now);
      expected = now;
      return changes;
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
      rmSync(join('/dev/shm', sharedMemoryName), { force: true });
    },
  };
}
