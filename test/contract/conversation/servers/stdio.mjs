import { speak } from './answers.mjs';

/** `node stdio.mjs VERSION [lines|frames]` */
const [, , version, framing = 'lines'] = process.argv;
const answer = speak(version);
let unread = Buffer.alloc(0);

function take(text) {
  const said = answer(JSON.parse(text));
  if (said === null) return;
  const body = JSON.stringify(said);
  process.stdout.write(framing === 'lines' ? `${body}\n` : `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function takeLine() {
  const end = unread.indexOf(10);
  if (end === -1) return false;
  const line = unread.subarray(0, end).toString();
  unread = unread.subarray(end + 1);
  if (line.trim() !== '') take(line);
  return true;
}

function takeFrame() {
  const end = unread.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/content-length: (\d+)/i.exec(unread.subarray(0, end).toString())?.[1]);
  if (unread.length < end + 4 + length) return false;
  const body = unread.subarray(end + 4, end + 4 + length).toString();
  unread = unread.subarray(end + 4 + length);
  take(body);
  return true;
}

console.error('ready');
process.stdin.on('data', (chunk) => {
  unread = Buffer.concat([unread, chunk]);
  while (framing === 'lines' ? takeLine() : takeFrame());
});
process.stdin.on('end', () => process.exit(0));
