import { type NetworkRule, networkModes, networkRuleSchema, type Policy } from '../../../base/policy-schema.ts';
import { check, checkKeys, checkList, isObject, type JsonObject } from './check.ts';
import { readHost } from './hosts.ts';
import { type Findings, joinPath, quote, show } from './problem.ts';

/** `network`: a mode and rules, each an object or one word. */

const mostRules = 10_000;
const shortForm = '"host:port", ".suffix:port", "host:*", "*:port", "[v6]:port" or "*"';

function readPort(text: string): number | '*' {
  return text === '*' ? '*' : Number(text);
}

/** `host:port` as an object; null when it is neither that nor `*`. */
function splitEndpoint(text: string): { host: string; port: number | '*' } | null {
  if (text === '*') return { host: '*', port: '*' };
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:[\]]+)):(\*|\d{1,6})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || port === undefined ? null : { host, port: readPort(port) };
}

function asObject(item: unknown, path: string, { problems }: Findings): JsonObject | null {
  if (typeof item === 'string') {
    const rule = splitEndpoint(item);
    if (rule === null) problems.push({ path, expected: shortForm, found: quote(item) });
    return rule;
  }
  if (isObject(item)) return item;
  problems.push({ path, expected: `an object with host and port, or ${shortForm}`, found: show(item) });
  return null;
}

function readRule(item: unknown, path: string, findings: Findings): NetworkRule | null {
  const rule = asObject(item, path, findings);
  if (rule === null) return null;
  if (typeof rule.host !== 'string') return check(networkRuleSchema, rule, path, findings);
  const host = readHost(rule.host, joinPath(path, 'host'), findings);
  return host === null ? null : check(networkRuleSchema, { ...rule, host }, path, findings);
}

export function readNetwork(value: unknown, path: string, findings: Findings): Policy['network'] | null {
  const fields = checkKeys(value, path, ['mode', 'rules'], findings);
  if (fields === null) return null;
  const mode = networkModes.find((name) => name === fields.mode);
  if (mode === undefined) {
    findings.problems.push({
      path: joinPath(path, 'mode'),
      expected: `one of ${networkModes.map(quote).join(', ')}`,
      found: show(fields.mode),
    });
  }
  const rulesPath = joinPath(path, 'rules');
  const list = fields.rules === undefined ? [] : checkList(fields.rules, rulesPath, mostRules, findings);
  const rules = list.flatMap((item, at) => readRule(item, joinPath(rulesPath, at), findings) ?? []);
  if (mode === undefined) return null;
  if (mode !== 'allowlist' && rules.length > 0) {
    const what = `the rules have no effect: the mode is ${quote(mode)}, and rules belong to "allowlist"`;
    findings.notices.push({ id: 'rules-without-effect', path: rulesPath, what });
  }
  return { mode, rules };
}
