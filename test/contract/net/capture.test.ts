import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from '../../../src/base/process.ts';
import { Capture } from '../../../src/engine/net/index.ts';
import { Lab, needNetwork, needTool } from './lab.ts';

const lab = new Lab();
beforeEach((context) => needNetwork(context));
afterAll(() => lab.close());

describe('the packet capture', () => {
  it('is read by tshark, with the clear text of TLS', async (context) => {
    await needTool(context, 'tcpdump');
    const tshark = await needTool(context, 'tshark');
    const file = join(lab.folder, 'traffic.pcapng');
    const keys: string[] = [];
    const internet = await lab.open({ onKeys: (lines) => void keys.push(lines) });
    const capture = await Capture.start(internet.namespaces, { file });
    const argv = ['curl', '-sS', '-m', '15', '--http1.1', '--resolve', 'seen.example:443:203.0.113.9'];
    expect(await lab.inBox([...argv, '-d', 'the loot', 'https://seen.example/upload'])).toMatchObject({ code: 0 });
    await lab.inBox(['curl', '-sS', '-m', '15', 'http://203.0.113.10:8080/plain']);
    await lab.until(({ kind, asked }) => kind === 'connection-close' && asked.port === 8080);
    for (const lines of keys) capture?.addKeys(lines);
    const end = await capture?.stop();
    expect(end).toMatchObject({ dropped: 0, leftOut: 0, problem: null });
    expect(end?.packets).toBeGreaterThan(20);
    const read = async (...args: readonly string[]) => {
      const { stdout } = await runTool(tshark, ['-r', file, ...args], { timeoutMs: 60_000 });
      return stdout.toString().trim().split('\n');
    };
    expect((await read('-T', 'fields', '-e', 'frame.number')).length).toBe(end?.packets);
    const requests = await read(
      '-Y',
      'http.request',
      '-T',
      'fields',
      '-e',
      'ip.dst',
      '-e',
      'tcp.dstport',
      '-e',
      'http.request.uri',
    );
    expect(requests).toEqual(['203.0.113.9\t443\t/upload', '203.0.113.10\t8080\t/plain']);
  });

  it('leaves out what does not fit, and counts it', async (context) => {
    await needTool(context, 'tcpdump');
    const internet = await lab.open();
    const capture = await Capture.start(internet.namespaces, {
      file: join(lab.folder, 'small.pcapng'),
      largestBytes: 1000,
    });
    await lab.inBox(['curl', '-sS', '-m', '15', 'http://203.0.113.10:8081/plain']);
    await lab.until(({ kind, asked }) => kind === 'connection-close' && asked.port === 8081);
    const end = await capture?.stop();
    expect(end?.leftOut).toBeGreaterThan(0);
    expect(end?.packets).toBeLessThan(10);
  });

  it('goes on without a file that cannot be written, and says so', async (context) => {
    await needTool(context, 'tcpdump');
    const internet = await lab.open();
    const capture = await Capture.start(internet.namespaces, { file: '/dev/full' });
    expect(await lab.inBox(['curl', '-sS', '-m', '15', 'http://203.0.113.10:8082/plain'])).toMatchObject({ code: 0 });
    await lab.until(({ kind, asked }) => kind === 'connection-close' && asked.port === 8082);
    capture?.addKeys('CLIENT_RANDOM 00 00\n');
    expect(await capture?.stop()).toMatchObject({ problem: expect.stringContaining('ENOSPC') });
  });
});
