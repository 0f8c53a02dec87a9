import type { PortRange } from '../contract.ts';

/** Ports as sorted ranges that do not touch. */

export const highestPort = 65_535;
export const everyPort: readonly PortRange[] = Object.freeze([Object.freeze({ from: 1, to: highestPort })]);

const longestPart = 32;
const partForms: readonly (readonly [form: RegExp, what: string])[] = [
  [/^$/, 'a part of it is empty'],
  [/\s/, 'it holds white space'],
  [/^[A-Za-z]+:/, 'it names a protocol; all ports are TCP'],
  [/^-+$/, 'a dash alone would mean every port'],
  [/^-/, 'the beginning of a range is missing'],
  [/-$/, 'the end of a range is missing'],
  [/^[^-]*-[^-]*-/, 'a range has one beginning and one end'],
  [/[^0-9-]/, 'it holds something other than digits, a comma and a dash'],
  [/^0$|^0-|-0$/, 'there is no port 0'],
  [/^0\d|-0\d/, 'a number begins with a zero'],
];

/** One port or one range, or the words for what is wrong with it. */
export function readPortPart(text: string): PortRange | string {
  if (text.length > longestPart) return `a part of it is longer than ${longestPart} characters`;
  const fault = partForms.find(([form]) => form.test(text));
  if (fault !== undefined) return fault[1];
  const [from = 0, to = from] = text.split('-').map(Number);
  if (from > highestPort || to > highestPort) return `ports end at ${highestPort}`;
  if (from > to) return 'a range runs backwards';
  return { from, to };
}

export function mergePorts(ranges: readonly PortRange[]): readonly PortRange[] {
  const merged: PortRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.from - right.from)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1) merged.push({ from: range.from, to: range.to });
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return merged;
}

/** What two lists have in common; both are merged. */
export function commonPorts(left: readonly PortRange[], right: readonly PortRange[]): readonly PortRange[] {
  return mergePorts(
    left.flatMap((a) =>
      right.flatMap((b) => {
        const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
        return from <= to ? [{ from, to }] : [];
      }),
    ),
  );
}

export function coversPorts(merged: readonly PortRange[], { from, to }: PortRange): boolean {
  return merged.some((range) => range.from <= from && to <= range.to);
}

export function formatPorts(ranges: readonly PortRange[]): string {
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** The ports of a scope file; those that cannot be read have been complained about before. */
export function openPorts(given: readonly (string | number)[] | undefined): readonly PortRange[] {
  if (given === undefined) return everyPort;
  return mergePorts(given.map((port) => readPortPart(String(port))).filter((part) => typeof part !== 'string'));
}
