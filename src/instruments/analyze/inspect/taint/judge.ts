import type { Severity } from '../../../../base/finding-schema.ts';
import { bits } from './engine/bits.ts';
import type { Hit } from './engine/observation.ts';
import { extents } from './engine/value.ts';
import type { TaintRuleId } from './rules.ts';

/** What the tool says that it is for. */
export interface Purpose {
  readonly name: string;
  readonly description: string;
}

export interface Judgement {
  readonly rule: TaintRuleId;
  readonly severity: Severity;
  /** What is wrong with the guard that is there, or that there is none. */
  readonly reason: string;
}

const has = (hit: Hit, wanted: number) => (hit.bits & wanted) === wanted;
const lastName = (label: string) => label.split('.').at(-1) ?? label;

const commandNames =
  /^(?:commands?|cmd|script|code|shell|bash|command_?line|snippet|source|program|input|expression|function|js|javascript|query)$/i;
const runningWords =
  /\b(?:run|runs|execut\w*|exec|eval\w*|shell|terminal|command|process|script|code|repl|interpreter|calculat\w*)\b/i;
const addressNames = /(?:url|uri|link|href|endpoint|address|website|site|page|host|domain)s?$/i;
const fetchingWords =
  /\b(?:url|urls|fetch\w*|web|website|http|https|browse\w*|crawl\w*|scrap\w*|download\w*|navigat\w*|page|link|request|webpage)\b/i;

function words({ name, description }: Purpose): string {
  return `${name.replace(/[_-]/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2')} ${description}`;
}

function judgeCommand(hit: Hit, purpose: Purpose): Judgement | undefined {
  if (has(hit, bits.shell)) return undefined;
  const isOwnCommand = commandNames.test(lastName(hit.taint.label)) && runningWords.test(words(purpose));
  if (isOwnCommand)
    return {
      rule: 'taint/command-execution',
      severity: 'medium',
      reason: 'running what it is given is what the tool is for',
    };
  return {
    rule: 'taint/command-injection',
    severity: 'critical',
    reason: 'a shell reads it, and nothing takes out what a shell acts on',
  };
}

function judgeArgv(hit: Hit): Judgement | undefined {
  if (has(hit, bits.dash) || hit.taint.extent === extents.inside) return undefined;
  return {
    rule: 'taint/argument-injection',
    severity: 'medium',
    reason: 'it may begin with a dash and is then an option of the program',
  };
}

/** A check is there, and what it lets pass. Whoever checks has said that not every path is meant. */
export const weakPathChecks = {
  prefix: 'the check has no separator, so a folder whose name only begins the same passes',
  dots: 'only ".." is refused, so an absolute path passes',
  other: 'the check that is there does not keep the path inside',
} as const;

/** Breaking out of a folder is worse than having none: there the author said what was to be kept apart. */
function judgePath(hit: Hit): Judgement | undefined {
  const isInside = hit.taint.extent === extents.inside;
  if (has(hit, bits.component) || has(hit, bits.prefix | bits.prefixReal) || has(hit, bits.address)) return undefined;
  if (has(hit, bits.noDots) && (isInside || has(hit, bits.notAbsolute))) return undefined;
  if (has(hit, bits.prefix)) {
    if (has(hit, bits.fixedBase)) return undefined;
    return {
      rule: 'taint/path-symlink',
      severity: 'medium',
      reason: 'the path is compared with a folder before links are followed',
    };
  }
  if (has(hit, bits.prefixWeak)) {
    const severity = has(hit, bits.fixedBase) ? 'low' : 'high';
    return {
      rule: 'taint/path-traversal',
      severity,
      reason: weakPathChecks.prefix,
    };
  }
  if (has(hit, bits.noDots))
    return {
      rule: 'taint/path-traversal',
      severity: 'high',
      reason: weakPathChecks.dots,
    };
  if (has(hit, bits.looked))
    return {
      rule: 'taint/path-traversal',
      severity: 'high',
      reason: weakPathChecks.other,
    };
  if (isInside || has(hit, bits.joined))
    return {
      rule: 'taint/path-traversal',
      severity: 'high',
      reason: 'it is put below a folder, and ".." leads out of it',
    };
  return {
    rule: 'taint/path-traversal',
    severity: 'medium',
    reason: 'any path is taken; no folder is meant to hold it',
  };
}

function judgeUrl(hit: Hit, purpose: Purpose): Judgement | undefined {
  const isHostFixed = hit.taint.extent === extents.inside && !has(hit, bits.authority);
  if (isHostFixed || has(hit, bits.hostAllowed)) return undefined;
  if (has(hit, bits.not4 | bits.not6)) {
    return {
      rule: 'taint/ssrf',
      severity: 'low',
      reason: 'addresses of the local network are refused, names that resolve to one are not',
    };
  }
  const isMeant = addressNames.test(lastName(hit.taint.label)) || fetchingWords.test(words(purpose));
  const reason = has(hit, bits.not4)
    ? 'IPv6 addresses of the machine pass the check, because a URL writes them in brackets'
    : 'any host is taken, the machine and its network included';
  return { rule: 'taint/ssrf', severity: isMeant ? 'medium' : 'high', reason };
}

function judgeSql(hit: Hit): Judgement | undefined {
  if (has(hit, bits.sql)) return undefined;
  if (hit.taint.extent === extents.whole || (hit.taint.extent === extents.start && hit.text === '')) {
    return {
      rule: 'taint/sql-statement',
      severity: 'medium',
      reason: 'the whole statement is the caller’s; what the text of it may do is up to the database',
    };
  }
  return {
    rule: 'taint/sql-injection',
    severity: 'high',
    reason: 'it is put into the statement as text and not as a parameter',
  };
}

function judgeCode(hit: Hit, purpose: Purpose): Judgement | undefined {
  if (has(hit, bits.code)) return undefined;
  const isMeant = commandNames.test(lastName(hit.taint.label)) && runningWords.test(words(purpose));
  if (isMeant)
    return {
      rule: 'taint/code-execution',
      severity: 'medium',
      reason: 'running what it is given is what the tool is for',
    };
  return { rule: 'taint/code-injection', severity: 'critical', reason: 'it is run as code' };
}

const judges: Readonly<Record<string, (hit: Hit, purpose: Purpose) => Judgement | undefined>> = {
  command: judgeCommand,
  argv: judgeArgv,
  'argv-text': judgeArgv,
  path: judgePath,
  url: judgeUrl,
  sql: judgeSql,
  code: judgeCode,
  module: (hit) =>
    has(hit, bits.component)
      ? undefined
      : { rule: 'taint/module-injection', severity: 'high', reason: 'it chooses the module that is loaded' },
  deserialise: () => ({ rule: 'taint/deserialisation', severity: 'high', reason: 'the format can carry functions' }),
  template: (hit) =>
    has(hit, bits.template)
      ? undefined
      : { rule: 'taint/template-injection', severity: 'high', reason: 'it is compiled as a template' },
  regex: (hit) =>
    has(hit, bits.regex)
      ? undefined
      : {
          rule: 'taint/regex-injection',
          severity: 'low',
          reason: 'an expression that takes for ever stops the server',
        },
};

/** All arguments at once is a guess about which of them arrives; it is not worth more than a look. */
function cap(judgement: Judgement, hit: Hit): Judgement {
  const isGuess = hit.taint.label === '*' && (judgement.severity === 'high' || judgement.severity === 'critical');
  return isGuess ? { ...judgement, severity: 'medium' } : judgement;
}

export function judge(hit: Hit, purpose: Purpose): Judgement | undefined {
  const judgement = judges[hit.category]?.(hit, purpose);
  return judgement === undefined ? undefined : cap(judgement, hit);
}
