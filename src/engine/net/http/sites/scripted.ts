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

function toAnswer(script: ScriptedAnswer): HttpAnswer {
  const body = script.base64 === undefined ? Buffer.from(script.text ?? '') : Buffer.from(script.base64, 'base64');
  return { status: script.status ?? 200, headers: { 'content-type': 'text/plain', ...script.headers }, body };
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
