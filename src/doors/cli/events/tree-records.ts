import { type Deeds, type ProcessTree, walkTree } from '../../../engine/sensor/history/index.ts';
import { formatJson } from '../terminal/index.ts';

/** The tree for a program: one process per line, each after its parent. Nesting would be as deep as the target likes. */

function deedsRecord(deeds: Deeds): object {
  return Object.fromEntries(
    deeds
      .list()
      .map(({ group, count, names, unnamed }) => [group, { count, names: Object.fromEntries(names), unnamed }]),
  );
}

export function* treeRecords(tree: ProcessTree): Generator<string> {
  for (const { node, depth } of walkTree(tree.roots())) {
    const { pid, parent, name, programs, programCount, end, deeds } = node;
    const record = { pid, parent: parent?.pid ?? null, depth, name, programs, programCount, end };
    yield formatJson({ ...record, did: deedsRecord(deeds) }, 0);
  }
  if (!tree.loose.isEmpty) yield formatJson({ pid: null, did: deedsRecord(tree.loose) }, 0);
}
