import { forTerminal, untrusted } from '../../../base/untrusted.ts';

export function shown(path: string): string {
  return forTerminal(untrusted(path, 512));
}

export function isBelow(folder: string, path: string): boolean {
  const base = folder.endsWith('/') ? folder : `${folder}/`;
  return path === folder || path.startsWith(base);
}
