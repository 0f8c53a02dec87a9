import { UsageError } from '../../../base/errors.ts';

/** Words that samples are passed around with. */
export const usualPasswords = ['infected', 'malware', 'virus'] as const;

const mostPasswords = 64;
const mostCharacters = 1_024;

/** In the order they are tried: what the caller gave, none, the usual ones, the name of the archive. */
export function passwordCandidates(supplied: readonly string[], archiveName: string | undefined): readonly string[] {
  for (const password of supplied) {
    if (password.includes('\0')) throw new UsageError('a password with a NUL character cannot be used');
    if (password.length > mostCharacters) throw new UsageError(`a password has at most ${mostCharacters} characters`);
  }
  if (supplied.length > mostPasswords) throw new UsageError(`at most ${mostPasswords} passwords are tried`);
  const own = (archiveName ?? '').split(/[\\/]/).at(-1) ?? '';
  const stem = own.replace(/\.[^.]*$/, '');
  const bare = own.replace(/(?:\.[A-Za-z0-9]{1,4}){1,2}$/, '');
  const names = [own, stem, bare].filter(
    (name) => name !== '' && name.length <= mostCharacters && !name.includes('\0'),
  );
  return [...new Set([...supplied, '', ...usualPasswords, ...names])];
}
