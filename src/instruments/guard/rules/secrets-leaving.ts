import type { MessageRule } from '../contract.ts';
import type { Shared } from './look.ts';
import { showPath } from './texts.ts';

const rule = 'secrets/leaving';
const title = 'Secret on its way';
const mostTold = 8;

/** Secrets of known forms, in what a server is given and in what it gives. Told by form, place and keyed hash alone. */
export function secretsLeaving({ look, tables, hashSecret }: Shared): MessageRule {
  return {
    id: rule,
    title,
    methods: ['*'],
    directions: ['to-server', 'to-client'],
    judge(message) {
      const seen = look(message);
      // While the server is thinking.
      if (message.direction === 'to-server') tables.warm();
      const found = seen.texts.flatMap(({ text, kind, path }) =>
        kind === 'binary' || text.length < 16 ? [] : tables.secrets.find(text).map((secret) => ({ ...secret, path })),
      );
      const [first] = found;
      if (first === undefined) return { is: 'pass' };
      const where = message.direction === 'to-server' ? 'to the server' : 'to the client';
      const others = found.length > 1 ? ` and ${found.length - 1} more` : '';
      return {
        is: 'refuse',
        hit: {
          rule,
          title,
          what: `a secret (${first.format.title}${others}) on its way ${where}`,
          remedy: 'Take the secret out, or give it to the server in its environment. If it was shown, replace it.',
          details: {
            secrets: found.slice(0, mostTold).map(({ format, token, path }) => ({
              format: format.id,
              at: showPath(path),
              ...(hashSecret === null ? {} : { hash: hashSecret(token) }),
            })),
          },
        },
      };
    },
  };
}
