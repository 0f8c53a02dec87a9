import { EgressGate } from '../../../src/engine/net/index.ts';
import { allowing } from './egress-lab.ts';

/** Opens a gate to one port on loopback, tells about it and waits to be killed. */
const [runId = '', port = ''] = process.argv.slice(2);
const gate = await EgressGate.start({
  runId,
  policy: allowing(['api.example', Number(port)], ['127.0.0.1', Number(port)]),
  onEvents: () => undefined,
  resolve: async () => ['127.0.0.1'],
});
process.stdout.write(`${gate.routerPid}\n`);
setInterval(() => undefined, 1000);
