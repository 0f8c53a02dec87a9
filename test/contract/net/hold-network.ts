import { FakeInternet } from '../../../src/engine/net/index.ts';

/** Opens a fake internet, tells about it and waits to be killed. */
const [runId = ''] = process.argv.slice(2);
const internet = await FakeInternet.start({ runId, onEvents: () => undefined });
process.stdout.write(`${internet.routerPid}\n`);
setInterval(() => undefined, 1000);
