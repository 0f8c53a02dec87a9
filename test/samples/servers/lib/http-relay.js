// Part of the sample servers, which are run in boxes only. Starts a sample that speaks HTTP, inside the same box, and
// hands it what comes on stdin: one {"headers", "message"} per line in, one {"status", "message"} per line out.
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { createInterface } from 'node:readline';

const [program, ...words] = process.argv.slice(2);
const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'pipe'], env: { ...process.env, PORT: '0' } });
child.on('exit', () => process.exit(1));

/** Resolves to the port when the server says that it listens. */
function listening() {
  return new Promise((resolve) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      process.stderr.write(chunk);
      said = `${said}${chunk}`.slice(-4096);
      const port = /listening on http:\/\/[^ ]+:(\d+)\/mcp\n/.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

const port = await listening();
let session;

function post({ headers, message }) {
  const body = JSON.stringify(message);
  const all = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...headers,
  };
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: all }, async (answer) => {
      session ??= answer.headers['mcp-session-id'];
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: answer.statusCode, message: text === '' ? null : JSON.parse(text) });
    });
    asked.on('error', (error) => resolve({ status: 0, message: { error: error.message } }));
    asked.end(body);
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await post(JSON.parse(line)))}\n`);
}
child.kill();
