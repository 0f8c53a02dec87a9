import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backendIds } from '../../src/engine/box/contract.ts';
import { type DockerEngine, startDockerEngine } from '../contract/escape/host/docker-engine.ts';
import { cleanEnvironment, hotcell, program, readUntil, startHotcell } from './hotcell.ts';
import { findBoxes, findTraces, makeRuntimeFolder } from './traces.ts';

interface Examined {
  readonly id: string;
  readonly state: string;
  readonly summary: string;
}

describe('hotcell box', () => {
  let runtimeFolder = '';
  let folder = '';
  let examined: readonly Examined[] = [];
  let engine: DockerEngine | null = null;
  let places: readonly string[] = [];

  beforeAll(async () => {
    runtimeFolder = await makeRuntimeFolder();
    folder = mkdtempSync(join(tmpdir(), 'hotcell-box-'));
    // The command runs as a user of its own and sees what others may see.
    chmodSync(folder, 0o755);
    // Where no engine can be started, doctor's reason becomes the reason of the skips.
    engine = process.getuid?.() === 0 ? await startDockerEngine().catch(() => null) : null;
    places = ['--runtime-folder', runtimeFolder, '--docker-socket', engine?.socket ?? '/nonexistent/engine.sock'];
    const { stdout } = hotcell(['doctor', '--json', ...places]);
    examined = (JSON.parse(stdout) as { backends: readonly Examined[] }).backends;
  });

  afterAll(async () => {
    await engine?.close();
    for (const path of [runtimeFolder, folder]) rmSync(path, { recursive: true });
  });

  /** Null where the backend works here, else why this test means nothing on this machine. */
  function whyNot(backend: string): string | null {
    const found = examined.find(({ id }) => id === backend);
    return found?.state === 'works' ? null : `${backend}: ${found?.summary ?? 'not examined'}`;
  }

  const inBox = (backend: string, options: readonly string[], command: readonly string[]): readonly string[] => [
    'box',
    '--backend',
    backend,
    ...places,
    ...options,
    '--',
    ...command,
  ];

  describe.each(backendIds.map((id) => [id] as const))('%s', (backend) => {
    const outcomes: readonly [string, readonly string[], number, string][] = [
      ['success', ['true'], 0, ''],
      ['its own exit code', ['sh', '-c', 'exit 7'], 7, ''],
      ['an exit code that Hotcell uses too', ['sh', '-c', 'exit 4'], 4, ''],
      ['a signal', ['sh', '-c', 'kill -TERM $$'], 128 + constants.signals.SIGTERM, ''],
      ['a program that is not there', ['no-such-program'], 127, ''],
      ['words as they are', ['printf', '%s|', 'a b', '', '*', '$HOME'], 0, 'a b||*|$HOME|'],
    ];
    it.for(outcomes)('passes through %s', ([, command, code, stdout], { skip }) => {
      const reason = whyNot(backend);
      if (reason !== null) skip(reason);
      expect(hotcell(inBox(backend, ['--quiet'], command))).toMatchObject({ code, stdout });
    });

    it('passes input and both outputs through, and says at the end what it was', ({ skip }) => {
      const reason = whyNot(backend);
      if (reason !== null) skip(reason);
      const ran = hotcell(inBox(backend, [], ['sh', '-c', 'cat; echo problem >&2']), { input: 'some\nbytes' });
      expect(ran.stdout).toBe('some\nbytes');
      expect(ran.stderr).toMatch(
        new RegExp(`^problem\nhotcell: ${backend}, LOW \\| .*256 MiB memory.*\\| ran .*\\| no limit hit`),
      );
    });

    it('hands nothing of the environment on but what was given', ({ skip }) => {
      const reason = whyNot(backend);
      if (reason !== null) skip(reason);
      const ran = hotcell(inBox(backend, ['--quiet', '--env', 'LANG=from-caller'], ['env']), {
        environment: { SECRET: 'leak' },
      });
      expect(ran.stdout).toContain('LANG=from-caller');
      expect(ran.stdout).not.toContain('leak');
    });

    it('ends at its time, and says so', ({ skip }) => {
      const reason = whyNot(backend);
      if (reason !== null) skip(reason);
      const ran = hotcell(inBox(backend, ['--time', '1500', '--json'], ['sleep', '60']));
      const record = JSON.parse(ran.stderr) as { status: { limitsHit: { limit: string }[] } };
      expect(record.status.limitsHit.map(({ limit }) => limit)).toContain('wallMs');
      expect(ran.code).toBe(128 + constants.signals.SIGKILL);
    });

    it('shows a folder read-only', ({ skip }) => {
      const reason = whyNot(backend);
      if (reason !== null) skip(reason);
      writeFileSync(join(folder, 'note'), 'seen');
      const options = ['--quiet', '--workdir', folder];
      expect(hotcell(inBox(backend, options, ['cat', 'note']))).toMatchObject({ code: 0, stdout: 'seen' });
      expect(hotcell(inBox(backend, options, ['sh', '-c', 'echo changed >note'])).code).not.toBe(0);
      expect(readFileSync(join(folder, 'note'), 'utf8')).toBe('seen');
    });

    it.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
      '%s ends the box, and nothing of it is left',
      async (signal, { skip }) => {
        const reason = whyNot(backend);
        if (reason !== null) skip(reason);
        const child = startHotcell(inBox(backend, [], ['sh', '-c', 'echo ready; sleep 60']));
        expect(await readUntil(child.stdout, 'ready')).toContain('ready');
        const boxes = findBoxes(runtimeFolder);
        expect(boxes).toHaveLength(1);
        child.kill(signal);
        const [code] = (await once(child, 'exit')) as [number | null];
        expect(code).toBe(128 + constants.signals[signal]);
        expect(findTraces(runtimeFolder, boxes)).toEqual([]);
      },
    );

    it('a reader that goes away ends the box quietly', async ({ skip }) => {
      const reason = whyNot(backend);
      if (reason !== null) skip(reason);
      const line = `"$0" "$@" 2>"${join(folder, 'stderr')}" | head -c 2`;
      const child = spawn('sh', ['-c', line, program, ...inBox(backend, ['--quiet'], ['yes'])], {
        env: cleanEnvironment(),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(await readUntil(child.stdout, 'y\n')).toBe('y\n');
      await once(child, 'close');
      expect(readFileSync(join(folder, 'stderr'), 'utf8')).toBe('');
      expect(findTraces(runtimeFolder, findBoxes(runtimeFolder))).toEqual([]);
    });
  });

  it('warns when a setting comes from the folder it is started in', () => {
    writeFileSync(join(folder, 'hotcell.config.json'), JSON.stringify({ policy: 'MEDIUM' }));
    const ran = hotcell(['box', '--runtime-folder', runtimeFolder, '--', 'true'], { cwd: folder });
    rmSync(join(folder, 'hotcell.config.json'));
    expect(ran.stderr).toContain(`hotcell: policy MEDIUM comes from ${join(folder, 'hotcell.config.json')}`);
  });
});
