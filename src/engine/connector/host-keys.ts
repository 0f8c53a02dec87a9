import { appendFile, chmod, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeError, HostError } from '../../base/errors.ts';
import { show } from './checks.ts';
import { fingerprint, hostName, judgeHost, type KnownHost, parseKnownHosts, readKeyType } from './known-hosts.ts';

export interface HostKeyOptions {
  readonly host: string;
  readonly port: number;
  readonly knownHostsFile: string;
  readonly isNewHostAccepted: boolean;
}

const largestFileBytes = 16 * 1024 * 1024;

export async function readKnownHosts(file: string): Promise<readonly KnownHost[]> {
  try {
    const content = await readFile(file);
    if (content.length > largestFileBytes) throw new Error(`it has ${content.length} bytes`);
    return parseKnownHosts(content.toString('latin1'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new HostError(`cannot read the known hosts in ${show(file)}: ${describeError(cause)}`, { cause });
  }
}

async function remember(file: string, line: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      const isLineOpen = size > 0 && last.toString() !== '\n';
      await appendFile(handle, `${isLineOpen ? '\n' : ''}${line}\n`);
    } finally {
      await handle.close();
    }
    await chmod(file, 0o600);
  } catch (cause) {
    throw new HostError(`cannot add the host key to ${show(file)}: ${describeError(cause)}`, { cause });
  }
}

/** Whether to go on with a host that shows this key. A HostError says why not; a new one is remembered when that is wished. */
export async function checkHostKey(key: Buffer, options: HostKeyOptions): Promise<void> {
  const { host, port, knownHostsFile, isNewHostAccepted } = options;
  const name = hostName(host, port);
  const shown = show(name);
  const file = show(knownHostsFile);
  const type = readKeyType(key);
  if (type === undefined) throw new HostError(`the host ${shown} showed something that is no key`);
  const print = fingerprint(key);
  const verdict = judgeHost(await readKnownHosts(knownHostsFile), name, key);
  switch (verdict.is) {
    case 'known':
      return;
    case 'revoked':
      throw new HostError(`the host ${shown} shows a key that is revoked in ${file}: ${type} ${print}`, {
        hint: 'do not connect; ask whoever keeps the host',
      });
    case 'changed':
      throw new HostError(
        `the host ${shown} shows a key that is not the one in ${file}: ${type} ${print}; known are ${verdict.types.join(', ')}`,
        { hint: `somebody may stand in between; if the host was set up anew: ssh-keygen -R '${shown}' -f ${file}` },
      );
    case 'certificates-only':
      throw new HostError(`the host ${shown} is known in ${file} by a certificate authority only`, {
        hint: `certificates of hosts are not supported; add its own key: ${type} ${print}`,
      });
    case 'unknown':
      if (!isNewHostAccepted) {
        throw new HostError(`the host ${shown} is not in ${file}; it shows the key ${type} ${print}`, {
          hint: 'compare the fingerprint with the one on the host, then accept it with --accept-new',
        });
      }
      await remember(knownHostsFile, `${name} ${type} ${key.toString('base64')}`);
  }
}
