import { posix } from 'node:path';

/** Files that every program reads. They say nothing about this one, so a reader gets their number instead. */

const systemFolders =
  /^\/(?:usr|lib|lib32|lib64|libx32|bin|sbin|proc|sys|dev)(?:\/|$)|^\/etc\/(?:ld\.so|ssl\/|ca-certificates|pki\/|locale|localtime$|timezone$|nsswitch\.conf$|host\.conf$|gai\.conf$|resolv\.conf$|hosts$|alternatives\/)/;
/** Secrets and memory of other programs lie in the folder of the kernel too. */
const tellingKernelFile =
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|auxv|fd\/|root\/|cwd\/)|^\/dev\/(?:k?mem|sd|vd|nvme|dm-)/;
const packageFolders = /\/(?:node_modules|site-packages|dist-packages|__pycache__)\//;

/** Opened for writing they take everything and keep nothing. */
const noDeed = /^\/dev\/(?:null|zero|full|u?random|tty|ptmx|pts\/\d+|std(?:in|out|err)|fd\/\d+)$/;

export function isHarmlessDevice(path: string): boolean {
  return noDeed.test(path);
}

/** What the C library asks on behalf of every program that looks up a name or an address. */
const lookupSocket = /^\/(?:var\/)?run\/nscd\/socket$/;

export function isLookup(family: unknown, path: string | null): boolean {
  return family === 'netlink' || (path !== null && lookupSocket.test(path));
}

export type PathSort = 'system' | 'package' | 'own';

/** A path is taken for what it leads to: `/usr/../home/u/.ssh` is no file of the system. */
export function sortPath(path: string): PathSort {
  if (!path.startsWith('/')) return 'own';
  const whole = path.includes('/.') || path.includes('//') ? posix.normalize(path) : path;
  if (tellingKernelFile.test(whole)) return 'own';
  if (systemFolders.test(whole)) return 'system';
  return packageFolders.test(whole) ? 'package' : 'own';
}
