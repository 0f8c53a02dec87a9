import { createServer } from 'node:http';
import { speak } from './answers.mjs';

/** `node http.mjs VERSION streamable|events|sse PORT`: answers as documents, as streams of events, or in the older form. */
const [, , version, form, port] = process.argv;
const answer = speak(version);
let stream = null;

async function read(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

async function newer(request, response) {
  if (request.url !== '/mcp') return void response.writeHead(404).end();
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const message = await read(request);
  if (version === '2026-07-28' && message.id !== undefined && request.headers['mcp-method'] !== message.method) {
    return void response
      .writeHead(400)
      .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"header mismatch"}}');
  }
  const said = answer(message);
  if (said === null) return void response.writeHead(202).end();
  if (form === 'streamable') {
    return void response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
      .end(JSON.stringify(said));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`: hello\n\nevent: message\nid: 1\ndata: ${JSON.stringify(said)}\n\n`);
}

async function older(request, response) {
  if (request.method === 'GET' && request.url === '/sse') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: endpoint\ndata: /messages?sessionId=1\n\n');
    stream = response;
  } else if (request.method === 'POST' && request.url === '/messages?sessionId=1') {
    const said = answer(await read(request));
    response.writeHead(202).end('Accepted');
    if (said !== null) stream.write(`event: message\ndata: ${JSON.stringify(said)}\n\n`);
  } else response.writeHead(404).end('Cannot do that');
}

createServer(form === 'sse' ? older : newer).listen(Number(port), '127.0.0.1', () => console.error('ready'));
