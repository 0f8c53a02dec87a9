import { runTool } from '../../../src/base/process.ts';
import { EgressGate } from '../../../src/engine/net/index.ts';
import { allowing } from '../net/egress-lab.ts';

/** `node through-gate.ts RUN ADDRESS PORT PROGRAM…`: runs a program behind a gate that lets one address and port through. */
const [runId = '', address = '', port = '', ...argv] = process.argv.slice(2);
const gate = await EgressGate.start({
  runId,
  policy: allowing([address, Number(port)]),
  onEvents: () => undefined,
});
try {
  const { stdout, stderr, code } = await runTool('ip', gate.namespaces.inBox(argv), { timeoutMs: 60_000 });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code ?? 1;
} finally {
  await gate.close();
}
