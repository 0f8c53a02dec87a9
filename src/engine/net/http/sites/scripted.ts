import type { ScriptedAnswer } from '../../config.ts';
import type { HttpAnswer, HttpRequest, Site } from '../site.ts';

/** Answers that the caller wrote, for tests and for targets that need a certain one to go on. */

function fits(script: ScriptedAnswer, request: HttpRequest): boolean {
  return (
    (script.host === '*' || script.host.toLowerCase() === request.host) &&
    request.path.startsWith(script.path ?? '') &&
    (script.method === undefined || script.method.toUpperCase() === request.method)
  );
}

/** No answer is larger, however often its text is repeated. */
const largestBytes = 64 * 1024 * 1024;

function bodyOf({ text = '', base64, repeat }: ScriptedAnswer): Buffer {
  const body = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
  if (repeat === undefined) return body;
  const most = Math.floor(largestBytes / Math.max(1, body.length));
  return Buffer.concat([Buffer.alloc(body.length * Math.min(repeat.count, most), body), Buffer.from(repeat.end)]);
}

function toAnswer(script: ScriptedAnswer): HttpAnswer {
  return {
    status: script.status ?? 200,
    headers: { 'content-type': 'text/plain', ...script.headers },
    body: bodyOf(script),
    ...(script.isChunked === true ? { isChunked: true } : {}),
  };
}

export const scriptedSite: Site = {
  id: 'scripted',
  title: 'answers that the caller wrote',
  answer(request, { world }) {
    const given = world.scriptsGiven;
    const script = world.config.scripts.find(
      (each) => fits(each, request) && (given.get(each) ?? 0) < (each.times ?? Number.POSITIVE_INFINITY),
    );
    if (script === undefined) return null;
    given.set(script, (given.get(script) ?? 0) + 1);
    return toAnswer(script);
  },
};
