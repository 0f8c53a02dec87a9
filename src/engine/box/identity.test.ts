import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseIdentity, writeIdentity } from './identity.ts';

describe('who the target believes to be', () => {
  it('is the same for the same box and never the host', () => {
    expect(chooseIdentity('00ff00ff00ff')).toEqual(chooseIdentity('00ff00ff00ff'));
    const names = Array.from({ length: 256 }, (_, index) =>
      chooseIdentity(`${index.toString(16).padStart(8, '0')}0000`),
    );
    expect(new Set(names.map(({ userName }) => userName)).size).toBeGreaterThan(4);
    for (const { hostName, cores } of names) {
      expect(hostName).not.toBe(hostname());
      expect(hostName).not.toMatch(/sandbox|hotcell|docker|box$/);
      expect(cores).toBeGreaterThanOrEqual(4);
    }
  });

  it.each(['x64', 'arm64'] as const)('is told by files that agree with each other on %s', (architecture) => {
    const folder = mkdtempSync('/tmp/hotcell-identity-');
    try {
      const identity = { userName: 'sam', hostName: 'sam-xps13', cores: 6 };
      const files = writeIdentity(identity, {
        folder: join(folder, 'files'),
        boxId: 'abcdefabcdef',
        home: '/home/sam',
        uid: 1000,
        gid: 1000,
        architecture,
        coverable: ['proc', 'sys'],
        systemFiles: [{ path: '/etc/hostname', content: 'other\n' }],
      });
      const text = (target: string): string =>
        readFileSync(files.find((file) => file.target === target)?.source ?? '', 'utf8');
      expect(text('/etc/passwd')).toMatch(/^sam:x:1000:1000:sam:\/home\/sam:\/bin\/bash$/m);
      expect(text('/etc/hostname')).toBe('other\n');
      expect(text('/etc/hosts')).toContain('sam-xps13');
      expect(text('/proc/cpuinfo').match(/^processor/gm)).toHaveLength(6);
      expect(text('/proc/stat').match(/^cpu\d/gm)).toHaveLength(6);
      expect(text('/sys/devices/system/cpu/online')).toBe('0-5\n');
      expect(text('/etc/machine-id')).toMatch(/^[0-9a-f]{32}\n$/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
