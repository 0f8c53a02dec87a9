import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Probe } from './probe.ts';

/** Probe with a scope, for tests of what is told of it; nothing is sent, and it needs no root. */
export function sampleProbe(more: object = {}): Promise<Probe> {
  const homeFolder = mkdtempSync(join(tmpdir(), 'hotcell-probe-'));
  const scopeFile = join(homeFolder, 'scope.json');
  const authorization = { by: 'somebody', reference: 'a test' };
  writeFileSync(scopeFile, JSON.stringify({ targets: ['127.0.0.1'], authorization, ...more }));
  return Probe.open({
    ...{ scopeFile, homeFolder, environment: {}, networkLayer: 'outside' },
    ...{ backend: 'auto', runtimeFolder: homeFolder, dockerSocket: '' },
  });
}
