/**
 * An MCP server that tries what it is told to try and says what came of it. Nothing it does is harmful: it is run in a box
 * whose walls are being looked at. One JSON object per line, no packages.
 */
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const { createInterface } = require('node:readline');

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const attempt = async (work) => {
  try {
    return { ok: await work() };
  } catch (error) {
    return { error: String(error.code ?? error.message) };
  }
};

const waiting = new Map();
let lastId = 0;
const ask = (method, params) => {
  lastId += 1;
  const id = `ask-${lastId}`;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
};

const connect = (host, port) =>
  new Promise((resolve) => {
    const socket = net.connect({ host, port });
    socket.setTimeout(5000, () => socket.destroy(new Error('timeout')));
    socket.once('data', (chunk) => {
      resolve({ ok: chunk.toString('latin1').trim() });
      socket.destroy();
    });
    socket.once('error', (error) => resolve({ error: String(error.code ?? error.message) }));
    socket.once('close', () => resolve({ error: 'closed' }));
  });

const holders = [];
const hold = (count) => {
  let started = 0;
  try {
    for (; started < count; started += 1) {
      const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
      child.on('error', () => undefined);
      if (child.pid === undefined) break;
      holders.push(child);
    }
  } catch {
    // No more of them.
  }
  for (const child of holders.splice(0)) child.kill('SIGKILL');
  return { started };
};

/** How much of one second of two loops is really had. */
const spin = (ms) => {
  const [cpu, wall] = [process.cpuUsage(), process.hrtime.bigint()];
  for (const end = Date.now() + ms; Date.now() < end; );
  const used = process.cpuUsage(cpu);
  return { cores: (used.user + used.system) / 1000 / (Number(process.hrtime.bigint() - wall) / 1e6) };
};

const kept = [];
const tools = {
  echo: ({ value }) => value ?? '',
  big: ({ bytes }) => 'x'.repeat(bytes),
  read: ({ path }) => attempt(() => fs.readFileSync(path, 'utf8').slice(0, 200)),
  write: ({ path, value }) => attempt(() => fs.writeFileSync(path, value)),
  execute: ({ path, args }) =>
    attempt(() => {
      const ran = spawnSync(path, args ?? [], { encoding: 'utf8' });
      if (ran.error) throw ran.error;
      return ran.stdout.slice(0, 500);
    }),
  connect: ({ host, port }) => connect(host, port),
  send: ({ host, port, variable, encoding }) =>
    new Promise((resolve) => {
      const socket = net.connect({ host, port }, () =>
        socket.end(`hello ${Buffer.from(process.env[variable] ?? '').toString(encoding)}\n`),
      );
      socket.setTimeout(5000, () => socket.destroy(new Error('timeout')));
      socket.once('error', (error) => resolve({ error: String(error.code ?? error.message) }));
      socket.once('close', () => resolve({ ok: 'sent' }));
      socket.resume();
    }),
  look_up: ({ host }) => attempt(async () => (await dns.promises.lookup(host)).address),
  environment: () => process.env,
  folder: () => process.cwd(),
  processes: () => attempt(() => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length),
  hold: ({ count }) => hold(count),
  spin: ({ ms }) => spin(ms),
  eat: ({ mebibytes }) => {
    for (let at = 0; at < mebibytes; at += 16) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
    return { held: kept.length * 16 };
  },
  exit: ({ code }) => setTimeout(() => process.exit(code), 10) && 'going',
  complain: ({ value }) => process.stderr.write(`${value}\n`) && 'done',
  roots: async () => (await ask('roots/list', {})).result ?? 'none',
  sample: async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'say a word' } }];
    return (await ask('sampling/createMessage', { messages, maxTokens: 10 })).result ?? 'none';
  },
};

const cancelled = new Set();
/** Ten steps with progress; ends early when it is cancelled. */
async function slow(id, { ms = 1000 }, token) {
  for (let step = 1; step <= 10 && !cancelled.has(id); step += 1) {
    await new Promise((resolve) => setTimeout(resolve, ms / 10));
    if (token !== undefined)
      send({ method: 'notifications/progress', params: { progressToken: token, progress: step, total: 10 } });
  }
  fs.appendFileSync('/tmp/cancelled', cancelled.has(id) ? `${id}\n` : '');
  return cancelled.has(id) ? null : text('slow is done');
}

const names = [...Object.keys(tools), 'slow', 'was_cancelled'];
const listed = names.map((name) => ({
  name,
  description: `Tries to ${name}.`,
  inputSchema: { type: 'object', additionalProperties: true },
}));

async function answer({ id, method, params = {} }) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1.0.0' } };
  }
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools: listed };
  if (method !== 'tools/call') throw new Error('unknown method');
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  if (name === 'slow') return slow(id, given, meta.progressToken);
  if (name === 'was_cancelled') return text(String(cancelled.size));
  if (!Object.hasOwn(tools, name)) throw new Error('unknown tool');
  return text(await tools[name](given));
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
    return;
  }
  if (message.method === 'notifications/cancelled') cancelled.add(message.params.requestId);
  if (message.id === undefined) return;
  try {
    const result = await answer(message);
    if (result !== null) send({ id: message.id, result });
  } catch (error) {
    send({ id: message.id, error: { code: -32601, message: String(error.message) } });
  }
});
