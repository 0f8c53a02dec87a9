import { asObject, asString, isObject } from '../../../base/json-shape.ts';
import type { Decision, Message, MessageRule, RuleContext, RuleHit } from '../contract.ts';
import { shownName } from '../stream/recording.ts';
import { verdictOn } from './tool-lines.ts';

const rule = 'tools/denied';
const title = 'Tool not allowed';

function hit(what: string, remedy: string, tool: string): RuleHit {
  return { rule, title, what, remedy, details: { tool: shownName(tool) } };
}

/** Some servers read `Name` for `name`: what was judged must be what is called. */
function hasVariant(params: unknown): boolean {
  return Object.keys(asObject(params)).some((key) => {
    const plain = key.length > 40 ? key : key.normalize('NFKC').toLowerCase();
    return key !== plain && (plain === 'name' || plain === 'arguments');
  });
}

function judgeCall({ value }: Message, { policy, pins, server }: RuleContext): Decision {
  const tool = asString(asObject(value.params).name);
  if (tool === undefined || hasVariant(value.params)) {
    const remedy = 'Name the tool once, in `name`.';
    return { is: 'refuse', hit: hit('a call that does not say clearly which tool it is for', remedy, tool ?? '') };
  }
  const verdict = verdictOn(policy, tool);
  if (verdict === 'allow') return { is: 'pass' };
  if (verdict === 'deny') {
    const remedy = `Allow the tool under "tools" in the policy "${policy.name}".`;
    return { is: 'refuse', hit: hit('a call of a tool that the policy does not allow', remedy, tool) };
  }
  if (pins.takeAsked?.(tool) === true) return { is: 'pass' };
  const remedy = `A person can say yes with \`hotcell approve ${server}\`; then call it again.`;
  return { is: 'refuse', hit: hit('a call of a tool that a person has to say yes to', remedy, tool) };
}

/** A tool that cannot be called is not offered. One that is asked about is. */
function judgeList({ value }: Message, { policy }: RuleContext): Decision {
  const { result } = value;
  if (!isObject(result) || !Array.isArray(result.tools)) return { is: 'pass' };
  const isDenied = (tool: unknown): boolean => verdictOn(policy, asString(asObject(tool).name) ?? '') === 'deny';
  const kept = result.tools.filter((tool) => !isDenied(tool));
  const count = result.tools.length - kept.length;
  if (count === 0) return { is: 'pass' };
  const what = `${count} of ${result.tools.length} tools are not offered, since the policy does not allow them`;
  const remedy = `Allow them under "tools" in the policy "${policy.name}".`;
  return {
    is: 'change',
    value: { ...value, result: { ...result, tools: kept } },
    hits: [{ rule, title, what, remedy, details: { count } }],
  };
}

export function toolsDenied(): MessageRule {
  return {
    id: rule,
    title,
    methods: ['tools/call', 'tools/list'],
    directions: ['to-server', 'to-client'],
    judge(message, context) {
      const { method, kind } = message;
      if ((context.policy.tools ?? []).length === 0 && method === 'tools/list') return { is: 'pass' };
      if (method === 'tools/call') return kind === 'request' ? judgeCall(message, context) : { is: 'pass' };
      return kind === 'response' ? judgeList(message, context) : { is: 'pass' };
    },
  };
}
