import type { BoxFile } from './contract.ts';

/**
 * Where the files of a wheel belong in a virtual environment:
 *
 *     package/module.py               lib/python3.N/site-packages/package/module.py
 *     name-1.data/scripts/tool        bin/tool
 *     name-1.data/data/share/x        share/x
 */

export interface VirtualEnvironment {
  readonly folder: string;
  readonly packages: string;
}

export function virtualEnvironment(folder: string, pythonVersion: string): VirtualEnvironment {
  const [major = '3', minor = '11'] = pythonVersion.split('.');
  return { folder, packages: `${folder}/lib/python${major}.${minor}/site-packages` };
}

/** What makes a folder one, but for the links to Python. */
export function environmentFiles({ folder }: VirtualEnvironment, pythonVersion: string): readonly BoxFile[] {
  const text = `home = /usr/bin\ninclude-system-site-packages = false\nversion = ${pythonVersion}\n`;
  return [{ path: `${folder}/pyvenv.cfg`, bytes: Buffer.from(text), mode: 0o644 }];
}

const dataPart = /^[^/]+\.data\/(purelib|platlib|scripts|data|headers)\/(.+)$/;

export function placeOf(path: string, { folder, packages }: VirtualEnvironment): { path: string; isScript: boolean } {
  const [, part, rest = ''] = dataPart.exec(path) ?? [];
  if (part === 'scripts') return { path: `${folder}/bin/${rest}`, isScript: true };
  if (part === 'data') return { path: `${folder}/${rest}`, isScript: false };
  if (part === 'headers') return { path: `${folder}/include/${rest}`, isScript: false };
  return { path: `${packages}/${part === undefined ? path : rest}`, isScript: false };
}

export interface ConsoleScript {
  readonly name: string;
  readonly module: string;
  readonly attribute: string;
}

const reference = /^([\w.]+)\s*:\s*([\w.]+)/;

export function readReference(name: string, value: string): ConsoleScript | null {
  const found = reference.exec(value.trim());
  if (found === null || !/^[\w.-]+$/.test(name)) return null;
  return { name, module: found[1] ?? '', attribute: found[2] ?? '' };
}

/** `entry_points.txt` of a wheel: sections as in an INI file. */
export function readEntryPoints(text: string): readonly ConsoleScript[] {
  let section = '';
  const scripts: ConsoleScript[] = [];
  for (const line of text.split(/\r?\n/).slice(0, 2000)) {
    const head = /^\s*\[([^\]]+)\]/.exec(line);
    if (head !== null) section = head[1]?.trim() ?? '';
    const pair = /^\s*([^=#;\s][^=]*?)\s*=\s*(.+)$/.exec(line);
    if (section !== 'console_scripts' || pair === null) continue;
    const script = readReference(pair[1] ?? '', pair[2] ?? '');
    if (script !== null) scripts.push(script);
  }
  return scripts;
}

/** A shell starts the Python beside it, and Python sees a text: so the file need not know where it lies. */
const firstLines = ['#!/bin/sh', `'''exec' "\${0%/*}/python" "$0" "$@"`, "' '''", ''].join('\n');

export function consoleScriptFile({ name, module, attribute }: ConsoleScript, { folder }: VirtualEnvironment): BoxFile {
  const [first = ''] = attribute.split('.');
  const lines = [
    'import sys',
    `from ${module} import ${first}`,
    "if __name__ == '__main__':",
    `    sys.exit(${attribute}())`,
    '',
  ];
  return { path: `${folder}/bin/${name}`, bytes: Buffer.from(firstLines + lines.join('\n')), mode: 0o755 };
}

/** A wheel's own scripts begin with `#!python` where the Python of the environment is meant. */
export function scriptFile(path: string, bytes: Uint8Array): BoxFile {
  const text = Buffer.from(bytes);
  const isPython = text.subarray(0, 8).toString('latin1') === '#!python';
  if (!isPython) return { path, bytes, mode: 0o755 };
  const end = text.indexOf(0x0a);
  const rest = end === -1 ? Buffer.alloc(0) : text.subarray(end + 1);
  return { path, bytes: Buffer.concat([Buffer.from(firstLines), rest]), mode: 0o755 };
}
