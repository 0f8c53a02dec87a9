/** `node hostile.mjs KIND`: a server that is fine until its tool is called. Each kind is one way to be a nuisance. */
const [, , kind] = process.argv;
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

function write(chunk, times, done) {
  for (; times > 0; times -= 1) {
    if (!process.stdout.write(chunk) && times > 1) {
      process.stdout.once('drain', () => write(chunk, times - 1, done));
      return;
    }
  }
  done();
}

const kinds = {
  huge: (id) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    write('x'.repeat(1024 * 1024), 200, () => process.stdout.write('"}]}}\n'));
  },
  flood: () => write('all work and no play\n'.repeat(5000), 1e9, () => undefined),
  deaf: () => process.stdin.pause(),
  half: (id) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},`),
  crash: () => process.abort(),
  mute: () => process.stdout.end(),
  asks: (id) => {
    for (let n = 0; n < 20_000; n += 1)
      say({ jsonrpc: '2.0', id: `ask-${n}`, method: 'sampling/createMessage', params: {} });
    say({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'asked' }] } });
  },
};

let unread = '';
process.stdin.on('data', (chunk) => {
  unread += chunk;
  for (let end = unread.indexOf('\n'); end !== -1; end = unread.indexOf('\n')) {
    const { id, method } = JSON.parse(unread.slice(0, end));
    unread = unread.slice(end + 1);
    const serverInfo = { name: 'nuisance', version: '1' };
    if (method === 'initialize')
      say({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
    else if (method === 'tools/call') kinds[kind](id);
  }
});
