import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RoomRun } from './contract.ts';
import { roomsInPlace } from './in-place.ts';
import { keptBytes } from './supervise.ts';

const folder = await mkdtemp(join(tmpdir(), 'hotcell-room-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const aim = { label: '127.0.0.1', host: '127.0.0.1', addresses: ['127.0.0.1'], ports: [{ from: 80, to: 80 }] };
let rooms = 0;

async function runIn(run: Partial<RoomRun> & Pick<RoomRun, 'argv'>) {
  rooms += 1;
  const room = await roomsInPlace()({
    id: `t${rooms}`,
    aim,
    limits: { urls: [], methods: [] },
    pace: { requestsPerSecond: 1, connectionsPerSecond: 1, connections: 1 },
    screened: false,
    credential: null,
    timeoutMs: 9000,
    folder: join(folder, String(rooms)),
  });
  const { signal } = new AbortController();
  try {
    return {
      ...(await room.run({ files: [], environment: {}, timeoutMs: 9000, signal, ...run })),
      work: room.paths.work,
    };
  } finally {
    await room.close();
  }
}

const node = (script: string): readonly string[] => [process.execPath, '-e', script];

function linkOf(path: string): readonly string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a program in its place', () => {
  it('gets files, variables and no shell, and leaves a file', async () => {
    const script =
      "const fs=require('fs');fs.writeFileSync('out.json',fs.readFileSync('in.txt'));console.log(process.argv[1],process.env.MARK);console.error('said')";
    const ended = await runIn({
      argv: [...node(script), '$(id); echo x'],
      files: [{ name: 'in.txt', content: Buffer.from('words') }],
      environment: { MARK: 'here' },
      outputFile: 'out.json',
    });
    expect(ended).toMatchObject({ status: 'completed', exitCode: 0, notes: [] });
    expect(ended.stdout.toString()).toBe('$(id); echo x here\n');
    expect(ended.outputFile?.toString()).toBe('words');
    expect(await readFile(ended.rawFile ?? '', 'utf8')).toContain('said');
    await expect(stat(ended.work)).rejects.toThrow();
  });

  it('keeps what there is when its time is over, and ends all of its group', async () => {
    const script = `const c=require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e3)'],{stdio:'ignore'});
      require('fs').writeFileSync('out.json','half');console.log(JSON.stringify([process.pid,c.pid]));setInterval(()=>{},1e3);process.on('SIGINT',()=>{console.log('asked to end')})`;
    const ended = await runIn({ argv: node(script), timeoutMs: 700, outputFile: 'out.json' });
    expect(ended.status).toBe('timed_out');
    expect(ended.outputFile?.toString()).toBe('half');
    const [first = '', second] = ended.stdout.toString().split('\n');
    expect(second).toBe('asked to end');
    for (const pid of JSON.parse(first) as number[]) expect(isAlive(pid)).toBe(false);
  });

  it('ends when nobody wants it any more', async () => {
    const stop = new AbortController();
    const ended = await runIn({
      argv: node("console.log('begun');setInterval(()=>{},1e3)"),
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(ended).toMatchObject({ status: 'cancelled', stdout: Buffer.from('begun\n') });
  });

  it('does not wait for what got away from its group and holds on to its output', async () => {
    const script = `const c=require('child_process').spawn(process.execPath,['-e','setTimeout(()=>{},60e3)'],{stdio:'inherit',detached:true});
      c.unref();console.log(c.pid)`;
    const ended = await runIn({ argv: node(script) });
    process.kill(Number(ended.stdout.toString()), 'SIGKILL');
    expect(ended).toMatchObject({ status: 'completed', exitCode: 0 });
    expect(ended.notes.join()).toContain('still holds its output');
  });

  it.each([
    ['a pipe that nobody writes to', "require('child_process').execFileSync('mkfifo',['out.json'])"],
    ['a link to elsewhere', "require('fs').symlinkSync('/etc/hostname','out.json')"],
    ['a folder', "require('fs').mkdirSync('out.json')"],
    ['nothing', ''],
  ])('reads no output file that is %s', async (_, script) => {
    expect(await runIn({ argv: node(script), outputFile: 'out.json' })).toMatchObject({
      status: 'completed',
      outputFile: null,
    });
  });

  it('keeps the beginning of a flood in memory and all of it in the file', async () => {
    const script = `const b=Buffer.alloc(1<<20,120);let n=${keptBytes / 2 ** 20 + 3};const w=()=>{while(n-->0)if(!process.stdout.write(b))return process.stdout.once('drain',w)};w()`;
    const ended = await runIn({ argv: node(script) });
    expect(ended.status).toBe('completed');
    expect(ended.stdout.length).toBe(keptBytes);
    expect(ended.notes).toEqual([`${3 * 2 ** 20} bytes of stdout are in the file of raw output alone`]);
    expect((await stat(ended.rawFile ?? '')).size).toBe(keptBytes + 3 * 2 ** 20);
  });

  it('tells of a program that is not there, and of one that fails', async () => {
    await expect(runIn({ argv: ['/nowhere/nmap'] })).rejects.toThrow('cannot run /nowhere/nmap');
    const open = readdirSync('/proc/self/fd').flatMap((fd) => linkOf(`/proc/self/fd/${fd}`));
    expect(open.filter((path) => path.startsWith(folder))).toEqual([]);
    expect(await runIn({ argv: node('process.exit(7)') })).toMatchObject({ status: 'completed', exitCode: 7 });
    expect(await runIn({ argv: node("process.kill(process.pid,'SIGKILL')") })).toMatchObject({
      status: 'error',
      exitCode: null,
    });
  });
});
