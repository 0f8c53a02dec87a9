/** The words of PowerShell: names may be cut short, in any case, behind a dash, a longer dash or a slash. */

interface Parameter {
  readonly name: string;
  readonly least: number;
  readonly shape?: 'shell-line' | 'script-from-stdin';
  readonly takes: 'none' | 'one' | 'rest';
  readonly also?: readonly string[];
}

const parameters: readonly Parameter[] = [
  { name: 'command', least: 1, shape: 'shell-line', takes: 'rest' },
  { name: 'commandwithargs', least: 8, also: ['cwa'], shape: 'shell-line', takes: 'rest' },
  { name: 'encodedcommand', least: 1, also: ['ec'], shape: 'shell-line', takes: 'one' },
  { name: 'encodedarguments', least: 8, also: ['ea'], takes: 'one' },
  { name: 'file', least: 1, takes: 'rest' },
  { name: 'executionpolicy', least: 2, also: ['ep'], takes: 'one' },
  { name: 'configurationname', least: 3, takes: 'one' },
  { name: 'configurationfile', least: 14, takes: 'one' },
  { name: 'custompipename', least: 2, takes: 'one' },
  { name: 'inputformat', least: 1, also: ['if'], takes: 'one' },
  { name: 'outputformat', least: 1, also: ['of'], takes: 'one' },
  { name: 'psconsolefile', least: 1, takes: 'one' },
  { name: 'settingsfile', least: 1, takes: 'one' },
  { name: 'version', least: 1, takes: 'one' },
  { name: 'windowstyle', least: 1, takes: 'one' },
  { name: 'workingdirectory', least: 2, also: ['wd'], takes: 'one' },
];

export interface PowerShellHit {
  readonly shape: 'shell-line' | 'script-from-stdin';
  readonly words: readonly string[];
}

export function readPowerShell(name: string, words: readonly string[]): PowerShellHit | null {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '-') return { shape: 'script-from-stdin', words: [word] };
    const [, written] = /^[-/\u2013\u2014\u2015]{1,2}([A-Za-z]+):?/.exec(word) ?? [];
    if (written === undefined) {
      // Windows PowerShell takes the first other word as a command, the newer one as a file.
      const isFile = name.startsWith('pwsh') || /\.ps1$/i.test(word);
      return isFile ? null : { shape: 'shell-line', words: words.slice(at) };
    }
    const lower = written.toLowerCase();
    const found = parameters.find(
      (each) => (each.name.startsWith(lower) && lower.length >= each.least) || each.also?.includes(lower),
    );
    if (found?.shape !== undefined) return { shape: found.shape, words: words.slice(at) };
    if (found?.takes === 'rest')
      return words[at + 1] === '-' ? { shape: 'script-from-stdin', words: words.slice(at) } : null;
    if (found?.takes === 'one') at += 1;
  }
  return null;
}
