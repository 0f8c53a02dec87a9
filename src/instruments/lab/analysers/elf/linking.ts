import { type Capability, matchCapabilities } from '../native/capability.ts';
import type { Gathering } from '../native/gathering.ts';
import { tidy } from '../native/wording.ts';
import { linuxCapabilities } from './capabilities.ts';
import type { ElfDynamic } from './dynamic.ts';
import type { ElfImage } from './image.ts';
import type { ElfSymbol } from './symbols.ts';

const mostListed = 2000;
const isFunction = ({ kind }: ElfSymbol): boolean => kind === 2 || kind === 10 || kind === 0;

/** The name without the version that some tools put behind it. */
const plain = (name: string): string => name.split('@', 1)[0] ?? name;

export interface ElfLinking {
  readonly dynamic: ElfDynamic;
  readonly dynamicSymbols: readonly ElfSymbol[];
  readonly staticSymbols: readonly ElfSymbol[];
}

export function describeLinking(
  image: ElfImage,
  { dynamic, dynamicSymbols, staticSymbols }: ElfLinking,
  gathering: Gathering,
): void {
  const { facts } = gathering;
  const absent = dynamicSymbols.filter(({ defined }) => !defined);
  // Go calls the functions it imports objects; elsewhere objects are variables such as `stdout`.
  const imported = names(absent.some(isFunction) ? absent.filter(isFunction) : absent);
  const exported = names(
    dynamicSymbols.filter((symbol) => symbol.defined && symbol.kind !== 3 && symbol.binding !== 0),
  );
  const stripped = !image.sections.some(({ type }) => type === 2);
  const isStatic =
    image.type !== 1 &&
    image.type !== 4 &&
    dynamic.needed.length === 0 &&
    !image.segments.some(({ type }) => type === 3);
  Object.assign(facts, {
    libraries: dynamic.needed.map((name) => tidy(name, 256)),
    soname: dynamic.soname === null ? null : tidy(dynamic.soname, 256),
    rpath: dynamic.rpath === null ? null : tidy(dynamic.rpath, 1024),
    runpath: dynamic.runpath === null ? null : tidy(dynamic.runpath, 1024),
    is_static:
      isStatic && image.type !== 3
        ? true
        : isStatic && dynamic.soname === null && ((dynamic.values.get(0x6ffffffb) ?? 0) & 0x08000000) !== 0,
    is_stripped: stripped,
    imported_function_count: imported.length,
    imported_functions: imported.slice(0, mostListed).map((name) => tidy(name, 200)),
    exported_symbol_count: exported.length,
    exported_symbols: exported.slice(0, mostListed).map((name) => tidy(name, 200)),
    symbol_count: staticSymbols.length,
  });
  gathering.findings.push(...matchCapabilities(imported, linuxCapabilities, (name) => [name], 'dynamic symbols'));
  // A static program that kept its symbols carries the functions themselves.
  const own = imported.length === 0 ? names(staticSymbols.filter(({ kind, defined }) => kind === 2 && defined)) : [];
  if (own.length > 0)
    gathering.findings.push(
      ...matchCapabilities(own, specific, (name) => [name.replace(/^__(?:libc_)?/, '')], 'symbols'),
    );
  findSearchPaths(dynamic, gathering);
}

/** In a static program the C library is there whole, so only what is rare in it says something. */
const common = new Set([
  'elf.api.process',
  'elf.api.network-client',
  'elf.api.network-server',
  'elf.api.dynamic-loading',
  'elf.api.change-user',
  'elf.api.file-watch',
]);
const specific: readonly Capability[] = linuxCapabilities.filter(({ rule }) => !common.has(rule));

const names = (symbols: readonly ElfSymbol[]): string[] => [...new Set(symbols.map(({ name }) => plain(name)))];

/** Folders in which everybody may put a library. */
function findSearchPaths(dynamic: ElfDynamic, gathering: Gathering): void {
  const paths = [dynamic.rpath, dynamic.runpath].flatMap((value) => value?.split(':') ?? []);
  const odd = paths.filter((path) => path === '' || /^(?:\/tmp|\/var\/tmp|\/dev\/shm|\/home\/|\/root\/|\.)/.test(path));
  if (odd.length === 0) return;
  gathering.find({
    rule: 'elf.dynamic.search-path',
    title: 'Libraries are looked for in folders that others may write to',
    severity: 'low',
    evidenceType: 'structural',
    evidence: odd.map((path) => ({
      where: 'dynamic section',
      text: path === '' ? '(empty: the current folder)' : path,
    })),
    benign: 'Programs that were built and never installed keep the path of their build folder.',
    attack: ['T1574.006'],
  });
}
