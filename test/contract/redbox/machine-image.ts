import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToolOrFail } from '../../../src/base/process.ts';
import type { Docker } from './docker.ts';
import { imageSettings, repository } from './files.ts';

/**
 * An image of the layout and the settings that the Dockerfile says, without its build: the files of this machine's own
 * packages, and Hotcell mounted where the build would have put it.
 */

const packages = ['arjun', 'ffuf', 'nmap', 'base-files', 'coreutils', 'dash', 'findutils', 'libc-bin'];
const mostPackages = 500;
const leftOut = /^\/usr\/share\/(?:doc|man|locale|info|lintian)\//;
const outputBytes = 64 * 1024 * 1024;

/** What of Hotcell is mounted at /opt/hotcell. */
const parts = ['bin', 'dist', 'native', 'node_modules', 'rules', 'package.json'];

export function hotcellMounts(): readonly string[] {
  return parts.map((part) => `--volume=${repository}/${part}:/opt/hotcell/${part}:ro`);
}

interface Installed {
  readonly name: string;
  /** Each entry: packages of which one is enough. */
  readonly needs: readonly (readonly string[])[];
}

const nameOf = (text: string): string => /^\s*([a-z0-9][a-z0-9.+-]*)/.exec(text)?.[1] ?? '';

async function readInstalled(): Promise<ReadonlyMap<string, Installed>> {
  const format = '${Package}\t${Provides}\t${Pre-Depends}, ${Depends}\n';
  const { stdout } = await runToolOrFail('dpkg-query', ['-W', '-f', format], { maxOutputBytes: outputBytes });
  const byName = new Map<string, Installed>();
  for (const line of stdout.toString().split('\n')) {
    const [name = '', provides = '', needs = ''] = line.split('\t');
    const entry = { name, needs: needs.split(',').map((need) => need.split('|').map(nameOf)) };
    if (name !== '') byName.set(name, entry);
    for (const virtual of provides.split(',').map(nameOf)) if (!byName.has(virtual)) byName.set(virtual, entry);
  }
  return byName;
}

/** The packages with all that they need. */
async function closure(): Promise<readonly string[]> {
  const installed = await readInstalled();
  const found = new Set<string>();
  const waiting = [...packages];
  for (let name = waiting.pop(); name !== undefined && found.size < mostPackages; name = waiting.pop()) {
    const entry = installed.get(name);
    if (entry === undefined) throw new Error(`the package ${name} is not installed here`);
    if (found.has(entry.name)) continue;
    found.add(entry.name);
    for (const need of entry.needs) {
      const one = need.find((each) => installed.has(each));
      if (one !== undefined) waiting.push(one);
    }
  }
  return [...found];
}

/** Links in the root lead below /usr: files are packed where they really are. */
function rootLinks(): ReadonlyMap<string, string> {
  const links = readdirSync('/').filter((name) => lstatSync(`/${name}`).isSymbolicLink());
  return new Map(links.map((name) => [name, readlinkSync(`/${name}`).replace(/^\//, '')]));
}

async function listFiles(links: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const owned = await runToolOrFail('dpkg-query', ['-L', ...(await closure())], { maxOutputBytes: outputBytes });
  const libraries = await runToolOrFail('ldd', ['/usr/bin/nmap']);
  const listed = [
    ...owned.stdout.toString().split('\n'),
    ...(libraries.stdout.toString().match(/\/\S+\.so[.\d]*/g) ?? []),
    ...readdirSync('/etc/alternatives').map((name) => `/etc/alternatives/${name}`),
    '/etc/ld.so.cache',
  ];
  const real = listed.map((path) => {
    const [, first = '', rest = ''] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    return `/${links.get(first) ?? first}${rest}`;
  });
  const isWanted = (path: string): boolean =>
    path.startsWith('/') &&
    path !== '/' &&
    !leftOut.test(path) &&
    lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return [...new Set(real)].filter(isWanted).map((path) => path.slice(1));
}

async function layRoot(root: string, links: ReadonlyMap<string, string>): Promise<void> {
  const folders = ['dev', 'etc', 'opt/hotcell', 'proc', 'run', 'scope', 'sys', 'tmp', 'usr/local/bin', 'var'];
  for (const name of folders) await mkdir(join(root, name), { recursive: true, mode: 0o755 });
  await chmod(join(root, 'tmp'), 0o1777);
  for (const [name, target] of links) await symlink(target, join(root, name));
  await symlink('/opt/hotcell/bin/hotcell', join(root, 'usr/local/bin/hotcell'));
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nprober:x:1000:1000::/tmp:/usr/sbin/nologin\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nprober:x:1000:\n');
}

/** Why it cannot be made here. */
export function whyNoMachineImage(): string | null {
  if (!existsSync('/usr/bin/dpkg-query')) return 'the programs of this machine are not packages of Debian';
  if (!existsSync(`${repository}/dist/doors/cli/main.js`)) return 'Hotcell has not been built: npm run build';
  const missing = ['arjun', 'ffuf', 'nmap'].filter((name) => !existsSync(`/usr/bin/${name}`));
  return missing.length === 0 ? null : `not installed here: ${missing.join(', ')}`;
}

export async function makeMachineImage(docker: Docker): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hotcell-redbox-'));
  try {
    const links = rootLinks();
    const [root, list, file] = [join(folder, 'root'), join(folder, 'list'), join(folder, 'image.tar')];
    await mkdir(root, { mode: 0o755 });
    await layRoot(root, links);
    const isNew = (path: string): boolean => lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined;
    await writeFile(list, `${(await listFiles(links)).filter(isNew).join('\n')}\n`);
    const common = ['--numeric-owner', '--owner=0', '--group=0', '--mode=a-s', '-f', file];
    await runToolOrFail('tar', ['-c', ...common, '-C', root, '.']);
    await runToolOrFail('tar', ['-r', ...common, '-C', '/', '--no-recursion', '--verbatim-files-from', '-T', list]);
    const changes = imageSettings().map((setting) => `--change=${setting}`);
    await docker.run(['import', ...changes, file, 'hotcell-redbox:machine']);
    return 'hotcell-redbox:machine';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
