import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportSchema } from '../src/base/report-schema.ts';
import { forTerminal, untrusted } from '../src/base/untrusted.ts';
import { describeTerminal, renderRows } from '../src/doors/cli/terminal/index.ts';
import { readEvents } from '../src/engine/sensor/event-log.ts';
import { folderOf, preparedFolder, readSampleServers } from '../test/samples/servers/sample-servers.ts';
import { findEscapes, readVisitor } from './demo/report.ts';

/**
 * `node scripts/demo.ts`: what this machine can do, two servers analysed, a visitor in the strongest box it has, a thief
 * among decoys, and a server that is read and not run. Ends with 0 only when nothing got out, nothing went unseen and
 * nothing was missed.
 */
const scripts = dirname(fileURLToPath(import.meta.url));
const hotcell = join(dirname(scripts), 'bin', 'hotcell');
const { stdout } = process;
const terminal = describeTerminal({
  color: 'auto',
  isTerminal: stdout.isTTY === true,
  columns: stdout.columns,
  environment: process.env,
});
const { style, symbols } = terminal;
const say = (text: string): boolean => stdout.write(`${text}\n`);

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const longestOutput = 64 * 1024;

function run(args: readonly string[], input: string | null): Promise<Ended> {
  const child = spawn(hotcell, [...args], {
    stdio: [input === null ? 'ignore' : 'pipe', input === null ? 'inherit' : 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(0, longestOutput);
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Things of the host that the visitor will try to get at, each watched from outside. */
async function receiveVisitor(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-demo-'));
  const secret = randomBytes(16).toString('hex');
  const [secretFile, outsideFile] = [join(folder, 'secret'), join(folder, 'written-by-visitor')];
  writeFileSync(secretFile, secret);
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bystander = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const program = readFileSync(join(scripts, 'demo', 'visitor.pl'), 'utf8');
    const words = ['perl', '-', secretFile, outsideFile, String(port), String(bystander.pid)];
    const { code, output } = await run(['box', '--', ...words], program);
    const told = readVisitor(output);
    if (code !== 0 || told === null) {
      say(style.bad(`The visitor did not come to its end (exit ${code}).`));
      return code === 0 || code === null ? 1 : code;
    }
    const show = (text: string): string => forTerminal(untrusted(text));
    const own = { 'host name': hostname(), user: userInfo().username, home: userInfo().homedir } as Readonly<
      Record<string, string>
    >;
    const sees = told.filter(({ kind }) => kind === 'sees');
    const tried = told.filter(({ kind }) => kind !== 'sees');
    say(`\n${style.strong('What it saw')}`);
    stdout.write(
      renderRows(
        sees.map(({ name, detail }) => [
          name,
          show(detail),
          style.faint(own[name] === undefined ? '' : `yours: ${own[name]}`),
        ]),
        terminal,
      ),
    );
    say(`\n${style.strong('What it tried')}`);
    const mark = (kind: string): string => (kind === 'refused' ? style.good(symbols.good) : style.bad(symbols.bad));
    stdout.write(
      renderRows(
        tried.map(({ kind, name, detail }) => [mark(kind), kind, show(name), style.faint(show(detail))]),
        terminal,
      ),
    );
    const escapes = findEscapes(told, {
      isFileWritten: existsSync(outsideFile),
      connections,
      isProcessEnded: bystander.exitCode !== null || bystander.signalCode !== null,
      isSecretInOutput: output.includes(secret),
    });
    say(
      escapes.length === 0
        ? `\n${style.good('Nothing got out.')} The host checked the file, the connection and the process itself.`
        : '',
    );
    for (const sentence of escapes) say(style.bad(`${symbols.bad} ${show(sentence)}`));
    return escapes.length === 0 ? 0 : 1;
  } finally {
    bystander.kill('SIGKILL');
    server.close();
    rmSync(folder, { recursive: true });
  }
}

/** A thief among decoys: what it reads and where it sends it has to be in the log. */
async function watchThief(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-demo-'));
  try {
    const program = readFileSync(join(scripts, 'demo', 'thief.pl'), 'utf8');
    const kept = join(folder, 'run');
    const words = ['box', '--watch', '--network', 'fake', '--output', kept, '--', 'perl', '-'];
    const { code, output } = await run(words, program);
    stdout.write(forTerminal(untrusted(output), { keepLines: true }));
    const kinds = new Set<string>();
    let isOnNetwork = false;
    for await (const { kind } of readEvents(join(kept, 'events.ndjson'))) {
      kinds.add(kind);
      isOnNetwork ||= kind === 'dns-query';
    }
    const isSeen = kinds.has('bait-read') && (!isOnNetwork || kinds.has('leak'));
    say(
      isSeen && code === 0
        ? `\n${style.good('Nothing went unseen:')} the reading${isOnNetwork ? ', the encoding and the sending' : ''}, and who did it.`
        : style.bad(`\nThe thief was not seen as it should have been (exit ${code}).`),
    );
    return isSeen && code === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A server with two mistakes in it, which is not run for that. */
async function scanServer(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-demo-'));
  try {
    for (const name of ['package.json', 'server.js']) {
      // The code is no code of ours, so it does not lie here under its own name.
      const kept = join(scripts, 'demo', 'notes-server', name === 'server.js' ? `${name}.txt` : name);
      copyFileSync(kept, join(folder, name));
    }
    const { code } = await run(['scan', folder, '--offline', '--offline-ok'], null);
    if (code === 1) return 0;
    say(style.bad(`\nThe mistakes in the server were not found (exit ${code}).`));
    return code === 0 || code === null ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Outcome {
  readonly code: number | null;
  readonly rules: ReadonlySet<string>;
}

/** Analyses a target and says which rules were proven or observed. */
async function analyze(target: string, more: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-demo-'));
  try {
    const kept = join(folder, 'run');
    const { code } = await run(['analyze', target, '--folder', kept, ...more], null);
    const report = join(kept, 'report.json');
    if (!existsSync(report)) return { code, rules: new Set() };
    const { subjects } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
    const firm = subjects.flatMap(({ findings }) => findings.filter(({ evidenceClass }) => /[AB]/.test(evidenceClass)));
    return { code, rules: new Set(firm.map(({ rule }) => rule)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A sample that steals a key: it has to be caught with the key in its hand. */
async function analyzeThief(): Promise<number> {
  const samples = readSampleServers();
  const thief = samples.find(({ id }) => id === 'ssh-key-on-start');
  if (thief === undefined) return 1;
  try {
    const { code, rules } = await analyze(folderOf(thief), ['--offline', '--offline-ok', '--budget', 'quick']);
    if (code === 1 && rules.has('behaviour/canary-left')) return 0;
    say(style.bad(`\nThe thief was not caught (exit ${code}).`));
    return code === 0 || code === null ? 1 : code;
  } finally {
    rmSync(preparedFolder, { recursive: true, force: true });
  }
}

/** A published server with two known weaknesses: both are proven, or it is said that it could not be had. */
async function analyzePublished(): Promise<number> {
  const { code, rules } = await analyze(published, ['--offline-ok']);
  if (code === 1 && [...rules].some((rule) => rule.endsWith('/path-traversal'))) return 0;
  if (code !== 1 && rules.size === 0) {
    say(style.warn('\nIt could not be had or run here; the rest goes on without it.'));
    return 0;
  }
  say(style.bad(`\nIts weakness was not proven (exit ${code}).`));
  return 1;
}

const published = 'npm:@modelcontextprotocol/server-filesystem@0.6.2';

const acts: readonly (readonly [title: string, act: () => Promise<number>])[] = [
  ['What can this machine do?  (hotcell doctor)', async () => (await run(['doctor'], null)).code ?? 1],
  ['A server that steals a key, analysed  (hotcell analyze ssh-key-on-start)', analyzeThief],
  [`A published server, analysed  (hotcell analyze ${published})`, analyzePublished],
  ['A visitor that misbehaves, in the strongest box there is  (hotcell box -- perl visitor.pl)', receiveVisitor],
  ['A thief among decoys, watched  (hotcell box --watch -- perl thief.pl)', watchThief],
  ['A server with mistakes, before it runs  (hotcell scan notes-server)', scanServer],
];
for (const [at, [title, act]] of acts.entries()) {
  say(style.strong(`${at === 0 ? '' : '\n'}${at + 1}. ${title}\n`));
  process.exitCode = await act();
  if (process.exitCode !== 0) break;
}
if (process.exitCode === 0) {
  say(
    `\nNow you: ${style.code('bin/hotcell analyze npm:some-server')}, ${style.code('bin/hotcell box --watch -- sh -c "id; ls /"')}`,
  );
}
