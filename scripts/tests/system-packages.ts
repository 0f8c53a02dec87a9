import { existsSync } from 'node:fs';
import { describeError } from '../../src/base/errors.ts';
import { minuteMs } from '../../src/base/limits.ts';
import { findTool, hostTools, installPackages, whyNotInstall } from '../../src/engine/host/index.ts';

/** Too large for everybody's `doctor --fix`, but some tests look at our work with its eyes. */
const testTools: readonly string[] = [
  'tshark',
  'bpftrace',
  'chromium',
  'git',
  'psql',
  'redis-server',
  'nmap',
  'ffuf',
  'arjun',
];

/** Programs and modules of others that our own analysers are held against, by a file that each package brings. */
const witnesses: Readonly<Record<string, string>> = {
  '/usr/sbin/sshd': 'openssh-server',
  '/usr/bin/7z': 'p7zip-full',
  '/usr/bin/ssdeep': 'ssdeep',
  '/usr/bin/tlsh': 'tlsh-tools',
  '/usr/bin/yara': 'yara',
  '/usr/bin/exiftool': 'libimage-exiftool-perl',
  '/usr/bin/readelf': 'binutils',
  '/usr/bin/gcab': 'gcab',
  '/usr/bin/genisoimage': 'genisoimage',
  '/usr/bin/msibuild': 'msitools',
  '/usr/bin/unrar-free': 'unrar-free',
  '/usr/bin/zip': 'zip',
  '/usr/bin/unzip': 'unzip',
  '/usr/bin/qpdf': 'qpdf',
  '/usr/lib/python3/dist-packages/pefile.py': 'python3-pefile',
  '/usr/share/doc/python3-venv': 'python3-venv',
};

/** Installs what the tests need and the machine lacks. Where that cannot be done the tests skip, each with its reason. */
export async function installSystemPackages(say: (line: string) => void): Promise<void> {
  const wanted = hostTools.filter((tool) => tool.isFixed || testTools.includes(tool.id));
  const found = await Promise.all(wanted.map(async (tool) => ({ tool, path: await findTool(tool.id) })));
  const missing = [
    ...found.filter(({ path }) => path === null).map(({ tool }) => tool.package),
    ...Object.entries(witnesses)
      .filter(([file]) => !existsSync(file))
      .map(([, name]) => name),
  ];
  if (missing.length === 0) return;
  const obstacle = await whyNotInstall();
  if (obstacle !== null) return say(`not installed: ${missing.join(', ')} (${obstacle})`);
  say(`installing ${missing.join(', ')}`);
  try {
    const { installed, unknown } = await installPackages(missing, 5 * minuteMs);
    if (installed.length > 0) say(`installed ${installed.join(', ')}`);
    if (unknown.length > 0) say(`no package source has ${unknown.join(', ')}`);
  } catch (error) {
    say(`not installed: ${describeError(error)}`);
  }
}
