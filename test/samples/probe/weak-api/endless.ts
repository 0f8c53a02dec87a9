import type { Answer, Asked, Route } from './exchange.ts';

/** Answers that try the patience of whoever asks. Each ends when the asking side goes away. */

const longestSeconds = 300;

function slow({ query }: Asked): Promise<Answer> {
  const seconds = Math.min(longestSeconds, Math.max(0, Number(query.get('seconds') ?? '30') || 0));
  return new Promise((resolve) => {
    const answer: Answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: `after ${seconds} s\n` };
    setTimeout(() => resolve(answer), seconds * 1000).unref();
  });
}

const chunk = Buffer.alloc(64 * 1024, 'hotcell-planted-flood\n');

const flood: Answer = {
  status: 200,
  headers: { 'content-type': 'text/plain' },
  stream: (response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  },
};

const trickle: Answer = {
  status: 200,
  headers: { 'content-type': 'text/plain' },
  stream: (response) => {
    response.write('.');
    const timer = setInterval(() => response.write('.'), 1000).unref();
    response.once('close', () => clearInterval(timer));
  },
};

export const endlessRoutes: readonly Route[] = [
  { method: 'GET', path: '/slow', handle: slow },
  { method: 'GET', path: '/flood', handle: () => flood },
  { method: 'GET', path: '/trickle', handle: () => trickle },
];
