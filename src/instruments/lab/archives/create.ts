import { HostError, UsageError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import { type CreatedArchive, type CreateOrder, defaultArchiveLimits } from './contract.ts';
import { makePaths } from './safe-path.ts';
import { loadSevenZip } from './seven-zip.ts';

/** Packs files for handing on, in this very thread. */

const cipherArgs = { 'aes-256': ['-mem=AES256'], zipcrypto: ['-mem=ZipCrypto'] } as const;

export async function createHere(order: Omit<CreateOrder, 'signal'>): Promise<CreatedArchive> {
  const { files, password, format } = order;
  if (files.length === 0) throw new UsageError('an archive needs at least one file');
  if (password?.includes('\0')) throw new UsageError('a password with a NUL character cannot be used');
  if (format === '7z' && order.cipher === 'zipcrypto') throw new UsageError('7z archives are encrypted with AES-256');
  const cipher =
    password === undefined || password === '' ? null : format === '7z' ? 'aes-256' : (order.cipher ?? 'aes-256');
  if (cipher !== null && format === 'zip' && !/^[\x20-\x7e]*$/.test(password ?? '')) {
    throw new UsageError('the password of a zip archive is plain ASCII', { hint: 'choose the format 7z' });
  }
  const paths = makePaths();
  const inputs = files.map(({ name, bytes }) => ({ name: paths.make(name).path, bytes: Uint8Array.from(bytes) }));
  const locked = cipher === null ? [] : [`-p${password}`, ...(format === '7z' ? ['-mhe=on'] : cipherArgs[cipher])];
  const made = await loadSevenZip()({
    args: ['a', `-t${format}`, '-mx=5', '-bd', ...locked, '--', '/made', '.'],
    inputs,
    memoryBytes: defaultArchiveLimits.memoryBytes * 2,
    mostLines: 100_000,
    tick: () => undefined,
    wanted: `/made${format === 'zip' ? '.zip' : '.7z'}`,
  });
  if (made.wanted === null) throw new HostError('the archive could not be made');
  return { bytes: made.wanted, sha256: sha256(made.wanted), format, cipher };
}
