/** The file in which people keep user names and passwords of hosts for command line programs. */

export interface NetrcEntry {
  readonly login: string;
  readonly password: string;
}

/** `machine NAME login USER password WORD`, over any number of lines; `default` fits every host. */
export function findNetrc(text: string, host: string): NetrcEntry | undefined {
  const words = text.replace(/^\s*#.*$/gm, '').split(/\s+/);
  let isFor = false;
  let login = '';
  let password = '';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === 'machine' || word === 'default') {
      if (isFor) break;
      isFor = word === 'default' || words[at + 1] === host;
      if (word === 'machine') at += 1;
    } else if (isFor && word === 'login') login = words[++at] ?? '';
    else if (isFor && word === 'password') password = words[++at] ?? '';
    else if (word === 'login' || word === 'password' || word === 'account') at += 1;
  }
  return isFor && login !== '' ? { login, password } : undefined;
}
