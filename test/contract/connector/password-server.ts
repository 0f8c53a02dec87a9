import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import ssh2, { type AuthContext } from 'ssh2';

/**
 * A server that knows one password. OpenSSH would ask the accounts of the system, which a test must not touch, so this is
 * the server of the package ssh2: it shows that the password is given, not how OpenSSH takes it.
 */
export interface PasswordServer {
  readonly port: number;
  close(): Promise<void>;
}

function decide(
  context: AuthContext,
  method: 'password' | 'keyboard-interactive',
  user: string,
  password: string,
): void {
  const answer = (given: string | undefined): void => {
    if (context.username === user && given === password) context.accept();
    else context.reject([method]);
  };
  if (context.method !== method) context.reject([method]);
  else if (context.method === 'password') answer(context.password);
  else if (context.method === 'keyboard-interactive') {
    context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => answer(answers[0]));
  }
}

export function openPasswordServer(
  method: 'password' | 'keyboard-interactive',
  user: string,
  password: string,
): Promise<PasswordServer> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => decide(context, method, user, password));
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec();
        const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe' });
        channel.pipe(child.stdin).on('error', () => undefined);
        child.stdout.pipe(channel, { end: false });
        child.stderr.pipe(channel.stderr, { end: false });
        child.once('close', (code) => {
          channel.exit(code ?? 1);
          channel.end();
        });
      });
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        close: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}
