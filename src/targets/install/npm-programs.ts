import { posix } from 'node:path';
import { asObject, asString, entriesOf, type JsonObject } from '../../base/json-shape.ts';
import type { BoxFile } from './contract.ts';

/** Programs that a package brings: `bin` is a path, or paths by name. */
export function programsOf(manifest: JsonObject): ReadonlyMap<string, string> {
  const own = (asString(manifest.name) ?? '').split('/').at(-1) ?? '';
  const single = asString(manifest.bin);
  const pairs: (readonly [string, string])[] =
    single === undefined
      ? entriesOf(asObject(manifest.bin)).flatMap(([name, path]) => (typeof path === 'string' ? [[name, path]] : []))
      : [[own, single]];
  return new Map(
    pairs.flatMap(([name, path]): (readonly [string, string])[] => {
      const inside = posix.normalize(`/${path}`).slice(1);
      const plain = name.split('/').at(-1) ?? '';
      return plain === '' || plain.startsWith('.') || inside === '' ? [] : [[plain, inside]];
    }),
  );
}

const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** npm makes links; a file that hands over does the same for whoever calls the name. */
export function handOver(binFolder: string, name: string, program: string): BoxFile {
  const way = shellWord(`/${posix.relative(binFolder, program)}`);
  const text = `#!/bin/sh\nexec "\${0%/*}"${way} "$@"\n`;
  return { path: `${binFolder}/${name}`, bytes: Buffer.from(text), mode: 0o755 };
}
