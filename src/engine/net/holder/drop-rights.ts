import koffi from 'koffi';
import { HostError } from '../../../base/errors.ts';

/**
 * Gives up everything that root may do but one thing: giving verdicts over the packets of its own namespace. The kernel
 * looks at the rights of the thread that sends, which is this one; all others have none left.
 */

const library = koffi.load(null);
const control = library.func(
  'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
);
const setCapabilities = library.func('int capset(void *header, void *data)');

const keepCapabilities = 8;
const noNewPrivileges = 38;
const version = 0x2008_0522;
const networkAdministration = 1 << 12;
const nobody = 65_534;

function must(result: number, operation: string): void {
  if (result !== 0) throw new HostError(`cannot ${operation}: errno ${koffi.errno()}`);
}

export function dropRights(): void {
  must(control(keepCapabilities, 1, 0, 0, 0), 'keep one capability');
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
  const header = Buffer.alloc(8);
  header.writeUInt32LE(version);
  // Effective, permitted, inheritable; the second half is for numbers above 31.
  const data = Buffer.alloc(24);
  data.writeUInt32LE(networkAdministration, 0);
  data.writeUInt32LE(networkAdministration, 4);
  must(setCapabilities(header, data), 'give up capabilities');
  must(control(noNewPrivileges, 1, 0, 0, 0), 'give up new privileges');
}
