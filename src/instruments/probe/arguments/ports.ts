import type { PortRange } from '../contract.ts';
import { commonPorts, coversPorts, formatPorts, mergePorts, readPortPart } from '../scope/port-list.ts';
import type { LoadedScope } from '../scope/scope.ts';
import { refuse, refuseOutside } from './refuse.ts';

const mostParts = 64;
const longestText = 1024;
const example = 'Write ports like 80,443,8000-8100.';

/** Sorted and merged, whatever order they were given in. */
function readPorts(text: string): readonly PortRange[] {
  if (text === '') refuse('ports', text, 'it is empty', example);
  if (text.length > longestText) refuse('ports', text, `it is longer than ${longestText} characters`, example);
  const parts = text.split(',');
  if (parts.length > mostParts) refuse('ports', text, `it has more than ${mostParts} parts`, example);
  return mergePorts(
    parts.map((part) => {
      const range = readPortPart(part);
      return typeof range === 'string' ? refuse('ports', text, range, example) : range;
    }),
  );
}

/** So many are shown of a scope with a long list. */
const longestShown = 200;

function openPorts({ ports }: LoadedScope): string {
  const shown = formatPorts(ports);
  return `The scope has ${shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown}.`;
}

export function readPortsArgument(scope: LoadedScope, text: string): readonly PortRange[] {
  const asked = readPorts(text);
  const outside = asked.filter((range) => !coversPorts(scope.ports, range));
  if (outside.length > 0) {
    const shown = formatPorts(outside.slice(0, 8));
    refuseOutside('ports', text, `${shown} is not wholly in the scope`, openPorts(scope));
  }
  return asked;
}

/** The first so many ports of a list. */
function firstPorts(ranges: readonly PortRange[], most: number): readonly PortRange[] {
  let left = most;
  return ranges.flatMap(({ from, to }) => {
    const count = Math.min(left, to - from + 1);
    left -= count;
    return count === 0 ? [] : [{ from, to: from + count - 1 }];
  });
}

const mostUsual = 1000;

/** What of them the scope has; the scope's own, where it has none of them. */
export function readPortsWithin(scope: LoadedScope, text: string): readonly PortRange[] {
  const common = commonPorts(readPorts(text), scope.ports);
  return common.length === 0 ? firstPorts(scope.ports, mostUsual) : common;
}
