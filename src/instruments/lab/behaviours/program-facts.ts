import { type Facts, isJsonRecord, type Json } from '../contract.ts';
import type { KindId } from '../kinds.ts';

/** What the analysers of programs found out, in the one form that questions about behaviour need. */
export interface ProgramFacts {
  readonly system: 'windows' | 'linux' | null;
  readonly isManaged: boolean;
  readonly packer: string | null;
  /** Names as the file spells them. */
  readonly imported: readonly string[];
  readonly importCount: number;
  /** Null: all imports were read. Otherwise why a name that is absent proves nothing. */
  readonly unread: string | null;
}

const systems: Partial<Record<KindId, 'windows' | 'linux'>> = { pe: 'windows', dotnet: 'windows', elf: 'linux' };

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function functionsOf(list: Json | undefined): readonly string[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((entry) =>
    isJsonRecord(entry) ? textsOf(entry.functions) : typeof entry === 'string' ? [entry] : [],
  );
}

const first = (facts: readonly Facts[], name: string): Json | undefined =>
  facts.find((one) => one[name] !== undefined && one[name] !== null)?.[name];

const sum = (facts: readonly Facts[], names: readonly string[]): number =>
  names.reduce((total, name) => total + Number(first(facts, name) ?? 0), 0);

/** Tools name packers in sentences of their own; compilers stand in the same lists. */
function packerIn(facts: readonly Facts[], names: readonly string[]): string | null {
  const said = facts
    .flatMap((one) => textsOf(one.packers))
    .join('\n')
    .toLowerCase();
  return names.find((name) => said.includes(name.toLowerCase())) ?? null;
}

/** `facts` are those of every analyser that read the file (pe, dotnet, elf), and of tools that name packers. */
export function readProgramFacts(kind: KindId, facts: readonly Facts[], packerNames: readonly string[]): ProgramFacts {
  const system = systems[kind] ?? null;
  const lists = ['imports', 'delay_imports', 'platform_calls', 'imported_functions'];
  const imported = [...new Set(facts.flatMap((one) => lists.flatMap((name) => functionsOf(one[name]))))];
  const counted = sum(facts, ['import_count', 'delay_import_count', 'platform_call_count', 'imported_function_count']);
  const hasTable = facts.some((one) => one.imports !== undefined || one.imported_functions !== undefined);
  const packer = first(facts, 'packer');
  const listedCount = facts.flatMap((one) => lists.flatMap((name) => functionsOf(one[name]))).length;
  const unread = !hasTable
    ? 'the imports could not be read'
    : counted > listedCount
      ? `${counted - listedCount} imports were left out of the list`
      : system === 'linux' && listedCount === 0
        ? 'the program is linked statically, so its functions have no names to go by'
        : null;
  return {
    system,
    isManaged: kind === 'dotnet' || first(facts, 'is_dotnet') === true,
    packer: typeof packer === 'string' ? packer : packerIn(facts, packerNames),
    imported,
    importCount: Math.max(counted, listedCount),
    unread,
  };
}
