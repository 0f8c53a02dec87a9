import type { UntrustedJson } from '../../../base/event-schema.ts';
import { bytesField, caps } from '../fields.ts';
import type { BytesList } from './protobuf.ts';

export interface ArgvField {
  readonly argv: readonly UntrustedJson[];
  readonly isCut: boolean;
}

/** Arguments as a field: each, all together and their number have a cap. */
export function argvField({ items, total }: BytesList): ArgvField {
  const argv: UntrustedJson[] = [];
  let left: number = caps.argv;
  let isCut = total > Math.min(items.length, caps.arguments);
  for (const item of items.slice(0, caps.arguments)) {
    if (left <= 0) {
      isCut = true;
      break;
    }
    const field = bytesField(item, Math.min(caps.argument, left));
    if (field.droppedBytes !== undefined) isCut = true;
    argv.push(field);
    left -= Math.min(item.length, caps.argument) + 1;
  }
  return { argv, isCut };
}
