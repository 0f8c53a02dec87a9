import type { BackendId } from '../../src/engine/box/index.ts';
import { Cell } from '../../src/engine/cell/index.ts';
import { tierPolicy } from '../../src/engine/policy/index.ts';

/** Makes a watched box, starts something in it, says its id, and stays until it is killed. */

const [backend, runtimeFolder = '', folder = '', runId = ''] = process.argv.slice(2);
const policy = { ...tierPolicy('HIGH'), network: { mode: 'fake' as const, rules: [] } };
const cell = await Cell.open(policy, { backend: backend as BackendId, runtimeFolder, folder, runId });
const child = await cell.spawn(['/bin/sh', '-c', 'while true; do sleep 0.05; done']);
child.stdout.resume();
child.stderr.resume();
await new Promise((resolve) => setTimeout(resolve, 300));
console.log(cell.box.record.id);
setInterval(() => undefined, 1000);
