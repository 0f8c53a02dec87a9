import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runToolOrFail } from '../../../../src/base/process.ts';
import { fetchFile } from '../../../../src/instruments/lab/operations/fetch-file.ts';
import { openSampleLab } from '../sample-lab.ts';
import type { Row } from './benches.ts';

/** What a lab reaches that it should not, and what it does not see although it is there. */

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const order = (url: string, name?: string) => ({
  url,
  headers: [],
  isOverwriteAllowed: false,
  isCertificateIgnored: false,
  timeoutMs: 10_000,
  signal: AbortSignal.timeout(20_000),
  ...(name === undefined ? {} : { name }),
});

export const accessRows: readonly Row[] = [
  {
    number: 17,
    name: 'a confined lab follows no link out of its folders, and its commands see nothing else of the machine',
    async check() {
      const bench = await openSampleLab({ sandbox: 'on' });
      try {
        const secret = join(bench.root, 'secret.txt');
        writeFileSync(secret, 'a secret of the host\n');
        bench.lay('mine.txt', 'mine\n');
        symlinkSync(secret, join(bench.samples, 'link'));
        symlinkSync(bench.root, join(bench.samples, 'up'));
        for (const file of ['link', 'up/secret.txt', secret, '/etc/passwd']) {
          for (const tool of ['get_file_info', 'suggest_tools', 'extract_iocs'] as const) {
            const { isError, error } = await bench.call(tool, { file });
            expect({ tool, file, isError, error }).toMatchObject({
              isError: true,
              error: expect.stringMatching(/outside/),
            });
          }
          await expect(bench.analyse(file)).rejects.toThrow(/outside/);
          await expect(bench.run('cat', { inputFile: file })).rejects.toThrow(/outside/);
        }
        for (const line of ['cat link', 'cat up/secret.txt', `cat ${secret}`, `grep -r secret ${bench.root}`]) {
          const { ended } = await bench.run(line);
          expect(ended.code, line).not.toBe(0);
          expect(ended.stdout.toString(), line).toBe('');
        }
        expect((await bench.run('cat mine.txt')).ended.stdout.toString()).toBe('mine\n');
      } finally {
        await bench.close();
      }
    },
  },
  {
    number: 21,
    name: 'a fetch reaches no private address, not by a redirect either, and takes an address as it is written',
    async check() {
      const asked: string[] = [];
      const closed = await listen((_request, response) => {
        asked.push('the closed one');
        response.end('internal');
      });
      const open = await listen((request, response) => {
        asked.push(request.url ?? '');
        if (request.url?.startsWith('/to-closed'))
          response.writeHead(302, { location: `http://127.0.0.1:${closed.port}/` });
        else if (request.url?.startsWith('/to-metadata'))
          response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' });
        else response.setHeader('content-disposition', `attachment; filename="../a'; touch pwned #.bin"`);
        response.end('a harmless file');
      });
      const bench = await openSampleLab({ allowHost: [`127.0.0.1:${open.port}`] });
      try {
        const base = `http://127.0.0.1:${open.port}`;
        const refused = [
          `http://127.0.0.1:${closed.port}/`,
          `http://localhost:${closed.port}/`,
          `http://[::ffff:127.0.0.1]:${closed.port}/`,
          `http://2130706433:${closed.port}/`,
          'http://169.254.169.254/latest/meta-data/',
          'http://10.0.0.1/',
          'file:///etc/passwd',
          `${base}/to-closed`,
          `${base}/to-metadata`,
        ];
        for (const url of refused) {
          await expect(fetchFile(bench.lab, order(url)), url).rejects.toThrow(
            /no address of the public internet|only http/i,
          );
        }
        expect(asked).toEqual(['/to-closed', '/to-metadata']);
        expect((await bench.call('list_files', {})).data.entries).toEqual([]);
        const { added } = await fetchFile(bench.lab, order(`${base}/{a,b}[1-9].bin`));
        expect(asked.slice(2).map(decodeURIComponent)).toEqual(['/{a,b}[1-9].bin']);
        expect(added.path.startsWith(`${bench.samples}/`)).toBe(true);
        const { data } = await bench.call('list_files', {});
        expect(data).toMatchObject({ entry_count: 1, entries: [{ type: 'file', size: 15 }] });
      } finally {
        await bench.close();
        open.close();
        closed.close();
      }
    },
  },
  {
    number: 23,
    name: 'a listing leaves nothing out: pipes, links, odd modes and odd names are all there',
    needs: ['sshd'],
    async check(benches) {
      for (const bench of [await benches.boxed(), await benches.stubs()]) {
        const below = 'all kinds';
        const at = (name: string): string => join(below, name);
        const odd = 'two\nlines \'and\' "quotes"';
        bench.lay(at('plain'), 'xyz');
        bench.lay(at('bits'), '');
        chmodSync(join(bench.samples, at('bits')), 0o4711);
        bench.lay(at(odd), 'q');
        bench.lay(at('folder/inside'), 'x');
        symlinkSync('/nonexistent', join(bench.samples, at('dangling')));
        await runToolOrFail('mkfifo', [join(bench.samples, at('pipe'))]);
        const { data } = await bench.call('list_files', { below });
        const entries = data.entries as readonly { name: string; type: string; size: number; permissions: string }[];
        const told = Object.fromEntries(entries.map(({ name, type }) => [name, type]));
        expect(data.entry_count).toBe(6);
        expect(told).toMatchObject({
          plain: 'file',
          bits: 'file',
          folder: 'directory',
          dangling: 'symlink',
          pipe: 'other',
        });
        expect(entries.find(({ name }) => name.includes('quotes'))).toMatchObject({ type: 'file', size: 1 });
        expect(entries.find(({ name }) => name === 'bits')?.permissions).toMatch(/^rw[xs]--x--x$/);
      }
    },
  },
];
