import { readFile } from 'node:fs/promises';
import { HostError } from '../../base/errors.ts';
import { asObject, asString } from '../../base/json-shape.ts';

const packageFile = new URL('../../../package.json', import.meta.url);

/** The version of this package. The file lies three folders up, both in src and in dist. */
export async function readVersion(): Promise<string> {
  const version = asString(asObject(JSON.parse(await readFile(packageFile, 'utf8'))).version);
  if (version === undefined) throw new HostError(`${packageFile.pathname} has no version`);
  return version;
}
