import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Event } from '../../../src/base/event-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import type { BackendId, BoxProcess } from '../../../src/engine/box/index.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { readEvents } from '../../../src/engine/sensor/event-log.ts';
import type { Arena } from '../box/arena.ts';

/** One of the tiny servers, running in a cell. */
export interface Visit extends AsyncDisposable {
  readonly cell: Cell;
  readonly child: BoxProcess;
  /** Ends the cell, and returns what was seen in it. */
  leave(): Promise<readonly Event[]>;
}

const servers = fileURLToPath(new URL('./servers/', import.meta.url));

export async function visit(
  arena: Arena,
  backend: BackendId,
  network: Policy['network']['mode'],
  server: 'stdio' | 'http' | 'hostile',
  args: readonly string[],
): Promise<Visit> {
  const folder = mkdtempSync('/tmp/hotcell-talk-');
  const policy: Policy = { ...tierPolicy('HIGH'), network: { mode: network, rules: [] } };
  const cell = await Cell.open(policy, { backend, ...arena.options, folder, decoys: null });
  const { work } = cell.box.folders;
  for (const name of ['answers.mjs', `${server}.mjs`]) {
    await cell.box.put(`${work}/${name}`, readFileSync(join(servers, name)), 0o644);
  }
  const child = await cell.spawn(['/usr/bin/node', `${work}/${server}.mjs`, ...args]);
  child.stderr.resume();
  return {
    cell,
    child,
    async leave() {
      await cell.close();
      const events: Event[] = [];
      for await (const event of readEvents(join(folder, 'events.ndjson'))) events.push(event);
      return events;
    },
    async [Symbol.asyncDispose]() {
      await cell.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
