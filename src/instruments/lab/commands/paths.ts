import { posix } from 'node:path';

/** Which paths a machine cannot do without, in every spelling. */

const systemFolders =
  'bin boot dev etc home lib lib32 lib64 libx32 opt proc root run sbin srv sys usr var Users System Library'.split(' ');
const systemPaths: ReadonlySet<string> = new Set([
  '/',
  ...systemFolders.map((name) => `/${name}`),
  '/usr/bin',
  '/usr/lib',
  '/usr/sbin',
  '/var/lib',
]);
const blockDevice =
  /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|loop|md|dm-|mapper\/|disk\/|sr|nbd|z?ram|mem$|kmem$|port$|root$|block\/)/;
const mostSpellings = 64;

/** `/{bin,etc}` is two paths. */
export function expandBraces(text: string): readonly string[] {
  let spellings = [text];
  for (let round = 0; round < 4; round += 1) {
    const next = spellings.flatMap((each) => {
      const match = /^([\s\S]*?)\{([^{}]*,[^{}]*)\}([\s\S]*)$/.exec(each);
      if (match === null) return [each];
      return (match[2] ?? '').split(',').map((part) => `${match[1]}${part}${match[3]}`);
    });
    if (next.length > mostSpellings) return spellings;
    spellings = next;
  }
  return spellings;
}

function isSystemPath(path: string): boolean {
  if (/^~[A-Za-z0-9_-]*\/?(?:\*|\.\*)?$/.test(path)) return true;
  const normal = posix.normalize(path);
  if (/^(?:\.\.\/){2,}(?:\.\.)?(?:\*)?$|^(?:\.\.\/)+\.\.$/.test(normal)) return true;
  if (!normal.startsWith('/')) return false;
  const bare = normal.length > 1 ? normal.replace(/\/+$/, '') : normal;
  if (systemPaths.has(bare)) return true;
  const parent = posix.dirname(bare);
  // A pattern right below a folder of the system means all that is in it.
  return (
    /[*?[]/.test(posix.basename(bare)) &&
    (parent === '/' || (systemPaths.has(parent) && /^[*?.]+$/.test(posix.basename(bare))))
  );
}

export function isVital(path: string): boolean {
  return expandBraces(path).some(isSystemPath);
}

export function isBlockDevice(path: string): boolean {
  return expandBraces(path).some((each) => blockDevice.test(posix.normalize(each)));
}
