import type { BackendId } from '../../src/engine/box/index.ts';
import { createBox } from '../../src/engine/box/index.ts';
import { tierPolicy } from '../../src/engine/policy/index.ts';

/** Makes a box, starts something stubborn in it, says so, and waits to be killed. Run by kill.test.ts alone. */
const [backend = 'auto', runtimeFolder = '', dockerSocket = ''] = process.argv.slice(2);
const box = await createBox(tierPolicy('LOW'), { backend: backend as BackendId, runtimeFolder, dockerSocket });
const stubborn =
  'trap "" TERM HUP INT; (setsid sh -c \'trap "" TERM HUP INT; while :; do sleep 0.2; done\' &); echo up; while :; do sleep 0.2; done';
const child = await box.spawn(['/bin/sh', '-c', stubborn]);
await new Promise((resolve) => child.stdout.once('data', resolve));
console.log(box.record.id);
setInterval(() => undefined, 1000);
