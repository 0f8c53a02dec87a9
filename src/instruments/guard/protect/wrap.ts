import { isAbsolute, normalize, sep } from 'node:path';
import { readServer } from '../../../targets/ingest/client-config/server-entry.ts';
import type { ServerNode } from '../../../targets/ingest/client-config/shapes.ts';
import type { Keys, ServerChange, TextEdit, WrapOptions } from './contract.ts';
import { type EntryForm, readForm } from './entry-form.ts';
import { guardWords, isGuarded, isGuardProgram } from './guard-words.ts';
import type { EditableText } from './text/index.ts';

/** One entry of a list of servers, put behind the guard. */

export interface EntryChange {
  readonly change: ServerChange;
  readonly edits: readonly TextEdit[];
  /** Keys whose values are another afterwards. */
  readonly touched: readonly Keys[];
  readonly remarks: readonly string[];
}

const untouched = (change: ServerChange, ...remarks: readonly string[]): EntryChange => ({
  change,
  edits: [],
  touched: [],
  remarks,
});
export const left = (why: string): EntryChange => untouched({ is: 'left', why });

/** Whoever names one of these as an argument does not get all of it: what is in there is everybody's. */
const tooWide: readonly string[] = ['/', '/proc', '/sys', '/dev', '/run'];

/** Paths of this machine that the arguments name, also as `--option=/path`. */
function pathsIn(words: readonly string[], { exists }: WrapOptions): readonly string[] {
  const candidates = words.map((word) => /^--?[\w-]+=(.*)$/s.exec(word)?.[1] ?? word);
  const paths = candidates.filter((path) => isAbsolute(path) && !path.includes('\0') && exists(path));
  return [...new Set(paths)];
}

function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [normalize(path), normalize(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

interface Rights {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly remarks: readonly string[];
}

function rightsFor(args: readonly string[], options: WrapOptions): Rights {
  const { writable = [], servers } = options;
  const named = pathsIn(args, options);
  const wide = named.filter((path) => tooWide.includes(normalize(path).replace(/(.)\/$/, '$1')));
  const paths = named.filter((path) => !wide.includes(path));
  // A server that was picked by name gets what was asked for, whatever its arguments say.
  const asked = servers === undefined ? [] : writable;
  const writes = [...new Set([...asked, ...paths.filter((path) => writable.some((one) => isWithin(path, one)))])];
  const open = args.filter(
    (word) => /\$\{|\$[A-Za-z_]|%[A-Za-z_]\w*%/.test(word) && /[/\\]|folder|root|home|dir/i.test(word),
  );
  return {
    reads: paths.filter((path) => !writes.includes(path)),
    writes,
    remarks: [
      ...wide.map((path) => `${path} is not opened to it: too much lies there; add --read by hand`),
      ...open.map((word) => `${word} is filled in by the client: add --read for it by hand if the server needs it`),
    ],
  };
}

function place(form: EntryForm, document: EditableText, program: string, words: readonly string[]) {
  switch (form.is) {
    case 'apart': {
      const { programKeys, argsKeys, table, programKey } = form;
      const all = [...words, ...form.words.slice(0, form.inProgram)];
      const list =
        argsKeys === null ? document.addList(table, programKey, 'args', all) : document.prepend(argsKeys, all);
      return {
        edits: [document.setText(programKeys, program), list],
        touched: [programKeys, argsKeys ?? [...table, 'args']],
      };
    }
    case 'list':
      return { edits: [document.prepend(form.keys, [program, ...words])], touched: [form.keys] };
    default:
      return { edits: [], touched: [] };
  }
}

/** @throws UsageError where the entry is written in a way that cannot be changed. */
export function wrapEntry(node: ServerNode, document: EditableText, options: WrapOptions): EntryChange {
  if (options.servers !== undefined && !options.servers.includes(node.name)) return left('not asked for');
  const form = readForm(node);
  if (form.is === 'unknown') return left(form.why);
  if (form.is === 'remote') return left('it is reached by URL and runs elsewhere: no box of this machine holds it');
  const { words } = form;
  const [program = ''] = words;
  if (words.length === 0) return left('its command is empty');
  if (isGuarded(words)) {
    const isOther = isGuardProgram(program) && program !== options.program && program !== 'hotcell';
    return untouched(
      { is: 'guarded' },
      ...(isOther ? ['it starts through another copy of hotcell than this one'] : []),
    );
  }
  if (program === options.program || isGuardProgram(program)) return left('it is Hotcell itself');
  const { reads, writes, remarks } = rightsFor(words.slice(1), options);
  const names = [...(readServer(node, '', '', undefined)?.environment.keys() ?? [])];
  const environment = names.filter((name) => /^[A-Za-z_]\w{0,199}$/.test(name));
  const strange = names.length - environment.length;
  const before = guardWords({
    name: node.name,
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    environment,
    reads,
    writes,
  });
  return {
    change: { is: 'wrapped', reads, writes },
    ...place(form, document, options.program, before),
    remarks: [
      ...remarks,
      ...(strange > 0
        ? [`${strange} of its variables have names that no policy can list: they will not reach it`]
        : []),
    ],
  };
}
