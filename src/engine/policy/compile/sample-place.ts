import type { PathFact, Place } from './place.ts';

/** A made-up machine, always the same: for golden files and for showing what a policy becomes. */

const base = '/run/hotcell/boxes/sample';

const links: Readonly<Record<string, string>> = { bin: 'bin', sbin: 'sbin', lib: 'lib', lib64: 'lib64' };
const missing: ReadonlySet<string> = new Set(['/lib32', '/libx32', '/etc/pki/tls/certs', '/etc/locale.conf']);
const otherPythons = /^\/etc\/python3\.(9|10|12|13)$/;
const folders = /\/(ssl\/certs|ld\.so\.conf\.d|python3\.\d+)$/;
const files =
  /^\/etc\/(ld\.so|localtime|timezone|services|protocols|host|hosts|hostname|passwd|group|debian_version|default\/locale|os-release|magic)|\.\w+$|\/bin\/perl$/;

/** Every path exists there, but for a few: a policy that nobody has tried yet can be shown as a whole. */
class SampleFacts extends Map<string, PathFact> {
  override get(path: string): PathFact | undefined {
    if (missing.has(path) || otherPythons.test(path)) return undefined;
    const link = links[path.slice(1)];
    if (link !== undefined)
      return { type: 'link', target: `usr/${link}`, resolved: `/usr/${link}`, resolvedType: 'folder' };
    return { type: !folders.test(path) && files.test(path) ? 'file' : 'folder' };
  }

  override has(path: string): boolean {
    return this.get(path) !== undefined;
  }
}

export function samplePlace(overrides: Partial<Place> = {}): Place {
  return {
    boxId: 'sample',
    rootFolder: `${base}/root`,
    hostFolders: { home: `${base}/home`, work: `${base}/work`, tmp: `${base}/tmp` },
    boxFolders: { home: '/home/alex', work: '/home/alex/project', tmp: '/tmp' },
    identityFiles: ['passwd', 'group', 'hosts', 'hostname'].map((name) => ({
      source: `${base}/identity/${name}`,
      target: `/etc/${name}`,
    })),
    hostName: 'thinkpad',
    userName: 'alex',
    uid: 1000,
    gid: 1000,
    hostUid: 210_000,
    hostGid: 210_000,
    architecture: 'x64',
    pathFacts: new SampleFacts(),
    landlockAbi: 7,
    airlock: { interpreter: '/usr/bin/perl', script: `${base}/airlock` },
    ...overrides,
  };
}
