import { describe, expect, it } from 'vitest';
import { HostError } from './errors.ts';
import { runTool, runToolOrFail } from './process.ts';

describe('running a tool of the host', () => {
  it('gives output, input and the exit code', async () => {
    const result = await runTool('/bin/sh', ['-c', 'cat; echo err >&2; exit 3'], { input: 'in' });
    expect({ code: result.code, stdout: result.stdout.toString(), stderr: result.stderr.toString() }).toEqual({
      code: 3,
      stdout: 'in',
      stderr: 'err\n',
    });
  });

  it('does not pass the environment of the caller on', async () => {
    process.env.HOTCELL_TEST_LEAK = 'secret';
    const { stdout } = await runTool('/usr/bin/env', []);
    delete process.env.HOTCELL_TEST_LEAK;
    expect(stdout.toString()).not.toContain('secret');
    expect(stdout.toString()).toContain('LC_ALL=C');
  });

  it('keeps what fits and counts what does not', async () => {
    const { stdout, droppedBytes } = await runTool('/bin/sh', ['-c', 'head -c 5000 /dev/zero'], {
      maxOutputBytes: 1000,
    });
    expect(stdout.length).toBe(1000);
    expect(droppedBytes).toBe(4000);
  });

  it('ends the whole group when the time is up, and gives what had arrived', async () => {
    const { hasTimedOut, stdout, signal } = await runTool('/bin/sh', ['-c', 'echo early; sleep 60 & wait'], {
      timeoutMs: 300,
    });
    expect({ hasTimedOut, stdout: stdout.toString(), signal }).toEqual({
      hasTimedOut: true,
      stdout: 'early\n',
      signal: 'SIGKILL',
    });
  });

  it('says which tool is missing', async () => {
    await expect(runTool('/no/such/tool', [])).rejects.toThrow(/cannot run \/no\/such\/tool/);
  });

  it('turns a failure into an error with its last words, escaped', async () => {
    const failing = runToolOrFail('/bin/sh', ['-c', 'printf "\\033[31mbad" >&2; exit 9']);
    await expect(failing).rejects.toThrow(HostError);
    await expect(failing).rejects.toThrow(/ended with 9: \\x1b\[31mbad/);
  });
});
