import { PackageURL } from 'packageurl-js';
import type { Ecosystem } from './graph.ts';

/** PEP 503: case, `-`, `_` and `.` do not tell two Python projects apart. */
export function normalisePythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

const npmName = /^(?:@[^/@\s]{1,214}\/)?[^/@\s]{1,214}$/;
const pythonName = /^[a-z0-9](?:[a-z0-9._-]{0,212}[a-z0-9])?$/i;

export function isPackageName(ecosystem: Ecosystem, name: string): boolean {
  return name.length <= 214 && (ecosystem === 'npm' ? npmName : pythonName).test(name);
}

/** Undefined when the name cannot be one of a package. */
export function makePurl(ecosystem: Ecosystem, name: string, version: string | undefined): string | undefined {
  if (!isPackageName(ecosystem, name)) return undefined;
  try {
    if (ecosystem === 'pypi') {
      return new PackageURL('pypi', undefined, normalisePythonName(name), version, undefined, undefined).toString();
    }
    const [scope, base] = name.startsWith('@') ? name.split('/', 2) : [undefined, name];
    return new PackageURL('npm', scope, base ?? '', version, undefined, undefined).toString();
  } catch {
    return undefined;
  }
}
