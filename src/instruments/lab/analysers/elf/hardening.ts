import type { Gathering } from '../native/gathering.ts';
import type { ElfImage } from './image.ts';
import type { ElfLinking } from './linking.ts';

/** What protects the program against its own errors. */
export function describeHardening(
  image: ElfImage,
  { dynamic, dynamicSymbols, staticSymbols }: ElfLinking,
  { facts }: Gathering,
): void {
  const { values } = dynamic;
  const all = [...dynamicSymbols, ...staticSymbols];
  const stack = image.segments.find(({ type }) => type === 0x6474e551);
  const flags = values.get(30) ?? 0;
  const flags1 = values.get(0x6ffffffb) ?? 0;
  const bindNow = values.has(24) || (flags & 8) !== 0 || (flags1 & 1) !== 0;
  const relro = image.segments.some(({ type }) => type === 0x6474e552);
  const interpreted = image.segments.some(({ type }) => type === 3);
  facts.hardening = {
    nx: image.segments.length === 0 ? null : stack !== undefined && (stack.flags & 1) === 0,
    pie: image.type === 3 && ((interpreted && dynamic.soname === null) || (flags1 & 0x08000000) !== 0),
    relro: relro ? (bindNow ? 'full' : 'partial') : 'none',
    stack_canary: all.some(({ name }) => name.startsWith('__stack_chk_fail') || name.startsWith('__stack_chk_guard')),
    fortified: all.some(({ name }) => /^__\w+_chk(?:@|$)/.test(name) && !name.startsWith('__stack_chk')),
  };
}
