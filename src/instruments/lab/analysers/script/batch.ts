/** Batch files: carets, `set` variables and their substrings, put in place line by line. */

export interface BatchFold {
  readonly text: string;
  readonly steps: number;
}

const mostLines = 50_000;
const mostOutput = 1_500_000;
const mostVariables = 5000;
const mostValue = 16_000;

/** What most machines say; used where a script cuts letters out of them. */
const usual: Readonly<Record<string, string>> = {
  comspec: 'C:\\Windows\\system32\\cmd.exe',
  systemroot: 'C:\\Windows',
  windir: 'C:\\Windows',
  programfiles: 'C:\\Program Files',
  commonprogramfiles: 'C:\\Program Files\\Common Files',
  public: 'C:\\Users\\Public',
  programdata: 'C:\\ProgramData',
  allusersprofile: 'C:\\ProgramData',
  systemdrive: 'C:',
  os: 'Windows_NT',
  pathext: '.COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC',
  psmodulepath: 'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\Windows\\system32\\WindowsPowerShell\\v1.0\\Modules',
};

function cut(value: string, from: number, length: number | undefined): string {
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  const end = length === undefined ? value.length : length < 0 ? value.length + length : start + length;
  return value.slice(start, Math.max(start, end));
}

function apply(value: string, change: string | undefined): string | undefined {
  if (change === undefined) return value;
  const piece = /^~\s*(-?\d{1,6})\s*(?:,\s*(-?\d{1,6}))?$/.exec(change);
  if (piece !== null) return cut(value, Number(piece[1]), piece[2] === undefined ? undefined : Number(piece[2]));
  const equals = change.indexOf('=', 1);
  if (equals < 0) return undefined;
  const [from, to] = [change.slice(0, equals), change.slice(equals + 1)];
  if (from.startsWith('*')) {
    const at = value.toLowerCase().indexOf(from.slice(1).toLowerCase());
    return at < 0 ? value : to + value.slice(at + from.length - 1);
  }
  const parts = value.split(from);
  return value.length + parts.length * to.length > mostValue ? undefined : parts.join(to);
}

const reference =
  /%([A-Za-z_#$@~'()[\]{}.+\w-]{1,100}?)(?::([^%\n]{1,200}))?%|!([A-Za-z_#$@\w-]{1,100})(?::([^!\n]{1,200}))?!/g;
const setting = /^\s*@?(?:\(\s*)?set\s+(?:\/a\s+)?"?([^=\n"]{1,200}?)=([^\n]*)$/i;

export function foldBatch(text: string, tick: () => void): BatchFold {
  const variables = new Map<string, string>();
  const lines: string[] = [];
  let steps = 0;
  let length = 0;
  const lookUp = (name: string): string | undefined => {
    const key = name.toLowerCase();
    return variables.get(key) ?? (Object.hasOwn(usual, key) ? usual[key] : undefined);
  };
  const expand = (line: string): string =>
    line.replaceAll(
      reference,
      (
        all,
        name: string | undefined,
        change: string | undefined,
        late: string | undefined,
        lateChange: string | undefined,
      ) => {
        const key = name ?? late ?? '';
        const value = lookUp(key);
        const changed = change ?? lateChange;
        // Names of the machine stay as they are, unless letters are cut out of them.
        if (value === undefined || (changed === undefined && !variables.has(key.toLowerCase()))) return all;
        const result = apply(value, changed);
        if (result === undefined || length + result.length > mostOutput) return all;
        steps += 1;
        length += result.length;
        return result;
      },
    );
  for (const [index, raw] of text.split('\n').entries()) {
    if (index % 500 === 0) tick();
    if (index >= mostLines || length > mostOutput) {
      lines.push(raw);
      continue;
    }
    const line = raw.replace(/\r$/, '');
    const bare = line.replaceAll(/\^(?=[^^\s])/g, () => {
      steps += 1;
      return '';
    });
    const whole = expand(bare.slice(0, mostValue));
    for (const part of whole.split(/&&|&(?=\s*set\s)/i).slice(0, 200)) {
      const set = setting.exec(part);
      if (set === null || variables.size >= mostVariables) continue;
      variables.set((set[1] ?? '').trim().toLowerCase(), (set[2] ?? '').replace(/"\s*$/, '').slice(0, mostValue));
    }
    // `set a=x& echo %a%` in one line sees the new value with delayed expansion only, but people read it this way.
    lines.push(expand(whole));
    length += whole.length;
  }
  return { text: lines.join('\n'), steps };
}
