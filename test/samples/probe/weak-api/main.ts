import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startWeakApi } from './start.ts';

/** `node main.ts --host A [--host B] --port P [--tls-port P] [--banner-port P] …`; says `ready` in JSON and serves. */
const { values } = parseArgs({
  options: {
    host: { type: 'string', multiple: true, default: ['127.0.0.1'] },
    port: { type: 'string', default: '0' },
    'tls-port': { type: 'string' },
    'banner-port': { type: 'string' },
    name: { type: 'string', multiple: true, default: [] },
    elsewhere: { type: 'string' },
    sound: { type: 'boolean', default: false },
    /** Where the sound twin's authority is written to. */
    'authority-file': { type: 'string' },
    /** Says each request as a line of JSON. */
    log: { type: 'boolean', default: false },
    /** Ends with its parent, however that ends. */
    'while-stdin': { type: 'boolean', default: false },
  },
});

const say = (type: string, value: object): void => void process.stdout.write(`${JSON.stringify({ type, ...value })}\n`);
const api = await startWeakApi({
  hosts: values.host,
  port: Number(values.port),
  names: values.name,
  sound: values.sound,
  ...(values.log ? { onRequest: (arrived) => say('request', arrived) } : {}),
  ...(values['tls-port'] === undefined ? {} : { tlsPort: Number(values['tls-port']) }),
  ...(values['banner-port'] === undefined ? {} : { bannerPort: Number(values['banner-port']) }),
  ...(values.elsewhere === undefined ? {} : { elsewhere: values.elsewhere }),
});
if (values['authority-file'] !== undefined) writeFileSync(values['authority-file'], api.authorityPem ?? '');

const end = (): void => void api.close().then(() => process.exit(0));
process.once('SIGTERM', end);
process.once('SIGINT', end);
if (values['while-stdin']) process.stdin.resume().once('end', end).once('error', end);
const { url, port, tlsPort, bannerPort } = api;
say('ready', { url, port, tlsPort, bannerPort });
