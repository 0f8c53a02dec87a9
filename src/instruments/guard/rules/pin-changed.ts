import { asObject, asString, isObject, type JsonObject } from '../../../base/json-shape.ts';
import type { Decision, Message, MessageRule, RuleContext, RuleHit } from '../contract.ts';
import { shownName } from '../stream/recording.ts';

const rule = 'pin/changed';
const title = 'Offer changed since it was approved';

interface Listed {
  readonly part: string;
  readonly list: string;
  readonly name: string;
}

const lists: Readonly<Record<string, Listed>> = {
  'tools/list': { part: 'tools', list: 'tools', name: 'name' },
  'prompts/list': { part: 'prompts', list: 'prompts', name: 'name' },
  'resources/list': { part: 'resources', list: 'resources', name: 'uri' },
  'resources/templates/list': { part: 'templates', list: 'resourceTemplates', name: 'uriTemplate' },
};
/** Answers that carry the instructions of a server. */
const introductions: readonly string[] = ['initialize', 'server/discover'];

const mostLines = 100;
const mostRemembered = 1000;

function hitOf(what: string, server: string, details: JsonObject): RuleHit {
  return {
    rule,
    title,
    what,
    remedy: `Look at the change and approve it with \`hotcell approve ${server}\`.`,
    details,
  };
}

/** Differences by the tool they are about, so that a refused call can show why. */
class Differences {
  readonly #lines = new Map<string, readonly string[]>();

  note(names: readonly string[], lines: readonly string[]): void {
    for (const name of names) if (this.#lines.size < mostRemembered) this.#lines.set(name, lines);
  }

  of(name: string): readonly string[] {
    return this.#lines.get(name) ?? [];
  }
}

function judgeList(
  message: Message,
  listed: Listed,
  { pins, server }: RuleContext,
  differences: Differences,
): Decision {
  const { value, request } = message;
  const { result } = value;
  if (!isObject(result)) return { is: 'pass' };
  const offered = result[listed.list];
  if (!Array.isArray(offered)) return { is: 'pass' };
  const isFirst = asObject(request?.value.params).cursor === undefined;
  const check = pins.check(listed.part, offered, { isFirst, isLast: result.nextCursor === undefined });
  if (check.is !== 'changed') return { is: 'pass' };
  const { names } = check;
  const lines = check.lines.slice(0, mostLines);
  if (listed.part === 'tools') differences.note(names, lines);
  const isHeld = (entry: unknown): boolean => names.includes(asString(asObject(entry)[listed.name]) ?? '');
  const kept = offered.filter((entry) => !isHeld(entry));
  const count = offered.length - kept.length;
  const details = { part: listed.part, names: names.slice(0, 50).map(shownName), difference: lines };
  // Something that is gone takes nothing away from what is offered, and resources come and go with what a server works on.
  if (count === 0 || listed.part === 'resources')
    return { is: 'pass', noted: [hitOf(`the list of ${listed.part} is not what was approved`, server, details)] };
  const what = `${count} of ${offered.length} ${listed.part} are new or changed, and held back`;
  return {
    is: 'change',
    value: { ...value, result: { ...result, [listed.list]: kept } },
    hits: [hitOf(what, server, details)],
  };
}

function judgeIntroduction({ value }: Message, { pins, server }: RuleContext): Decision {
  const { result } = value;
  if (!isObject(result)) return { is: 'pass' };
  const check = pins.check('instructions', asString(result.instructions) ?? '');
  if (check.is !== 'changed') return { is: 'pass' };
  const details = { part: 'instructions', difference: check.lines.slice(0, mostLines) };
  if (result.instructions === undefined)
    return { is: 'pass', noted: [hitOf('the instructions of the server are gone', server, details)] };
  const { instructions: _held, ...rest } = result;
  const hits = [hitOf('the instructions of the server have changed, and are held back', server, details)];
  return { is: 'change', value: { ...value, result: rest }, hits };
}

export function pinChanged(): MessageRule {
  const differences = new Differences();
  return {
    id: rule,
    title,
    methods: [...Object.keys(lists), ...introductions, 'tools/call'],
    directions: ['to-server', 'to-client'],
    judge(message, context) {
      const { kind, method } = message;
      if (kind === 'response') {
        const listed = lists[method ?? ''];
        if (listed !== undefined) return judgeList(message, listed, context, differences);
        return introductions.includes(method ?? '') ? judgeIntroduction(message, context) : { is: 'pass' };
      }
      if (kind !== 'request' || method !== 'tools/call') return { is: 'pass' };
      const tool = asString(asObject(message.value.params).name) ?? '';
      if (!context.pins.isQuarantined(tool)) return { is: 'pass' };
      const details = { tool: shownName(tool), difference: differences.of(tool) };
      return { is: 'refuse', hit: hitOf('a call of a tool that is not what was approved', context.server, details) };
    },
  };
}
