import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { describeError, HostError } from '../../../base/errors.ts';
import { runToolOrFail } from '../../../base/process.ts';
import { dockerImage } from '../../policy/compile/docker.ts';

/**
 * The image of the docker backend: the bones of this machine's own root. Programs and libraries are not copied; they
 * are mounted read-only from the host when a box starts, as the policy says, so no registry is needed.
 */

const folders = ['dev', 'etc', 'home', 'proc', 'run', 'sys', 'tmp', 'usr', 'var'];

/** Links at the root, such as /bin -> usr/bin. A box cannot make them later: its root is read-only. */
export function rootLinks(): ReadonlyMap<string, string> {
  const links = readdirSync('/').filter((name) => lstatSync(`/${name}`).isSymbolicLink());
  return new Map(links.map((name) => [`/${name}`, readlinkSync(`/${name}`)]));
}

export async function buildImage(docker: Docker): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-image-'));
  try {
    for (const name of folders) mkdirSync(join(folder, name), { mode: 0o755 });
    for (const [path, to] of rootLinks()) symlinkSync(to, join(folder, path));
    const { stdout } = await runToolOrFail('tar', [
      '-c',
      '--numeric-owner',
      '--owner=0',
      '--group=0',
      '-C',
      folder,
      '.',
    ]);
    const stream = await docker.importImage(stdout as unknown as string, { repo: dockerImage, tag: 'latest' });
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(stream, (error) => (error === null ? resolve() : reject(error)));
    });
    return `${dockerImage}:latest`;
  } catch (error) {
    throw new HostError(`cannot build the image ${dockerImage}: ${describeError(error)}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function hasImage(docker: Docker): Promise<boolean> {
  try {
    await docker.getImage(dockerImage).inspect();
    return true;
  } catch {
    return false;
  }
}
