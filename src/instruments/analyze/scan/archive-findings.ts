import type { Finding } from '../../../base/finding-schema.ts';
import { forTerminal } from '../../../base/untrusted.ts';
import type { Ingested } from '../../../targets/ingest/contract.ts';
import { type ArchiveIssue, archiveIssues } from '../../../targets/ingest/unpack/contract.ts';
import { excerpt, makeFinding, type Rule } from '../inspect/rule.ts';

/** What was wrong with the archive itself, as findings. */

const harmless = new Set<ArchiveIssue['id']>([
  'odd-name',
  'odd-header',
  'duplicate-entry',
  'trailing-data',
  'outside-top-folder',
]);

export const archiveRules = {
  hostile: {
    id: 'archive/hostile-entry',
    title: 'An entry of the archive is made to do harm when it is unpacked',
    severity: 'high',
    axis: 'hostility',
    cwe: ['CWE-22', 'CWE-59'],
    owasp: [],
    what: 'Entries with paths or links that lead out of the folder, device files, set-user-id modes, bombs.',
    why: 'Whoever unpacks the package with an ordinary tool may have files overwritten or the disk filled.',
    remediation: 'Do not unpack or install it; ask the publisher what it is for.',
    fires: 'package/../../.bashrc',
    silent: 'package/dist/index.js',
  },
  odd: {
    id: 'archive/odd-entry',
    title: 'An entry of the archive is out of the ordinary',
    severity: 'low',
    axis: 'hostility',
    cwe: [],
    owasp: [],
    what: 'Names that collide on other systems, broken headers, data after the end.',
    why: 'Tools that unpack it differently see different files.',
    remediation: 'Compare what different tools unpack.',
    fires: 'README.md and readme.md',
    silent: 'README.md',
  },
  incomplete: {
    id: 'archive/incomplete',
    title: 'The archive could not be unpacked whole',
    severity: 'medium',
    axis: 'exposure',
    cwe: [],
    owasp: [],
    what: 'Archives that are broken, encrypted or larger than the limits.',
    why: 'What is not unpacked is not inspected.',
    remediation: 'Get a whole archive.',
    fires: 'an encrypted zip file',
    silent: 'a package of npm',
  },
} as const satisfies Record<string, Rule<string>>;

function ruleFor({ id }: ArchiveIssue): Rule {
  if (harmless.has(id) || id === 'backslash' || id === 'name-collision' || id === 'name-differs')
    return archiveRules.odd;
  if (archiveIssues[id] === 'stop') return id === 'bomb-ratio' ? archiveRules.hostile : archiveRules.incomplete;
  if (id === 'encrypted' || id === 'unsupported-compression' || id === 'unsupported-entry' || id.startsWith('broken')) {
    return archiveRules.incomplete;
  }
  return archiveRules.hostile;
}

export function archiveFindings({ issues, origin }: Pick<Ingested, 'issues' | 'origin'>): readonly Finding[] {
  return issues.map((issue) => {
    const rule = ruleFor(issue);
    const entry = forTerminal(issue.entry);
    return makeFinding(rule, {
      identity: [issue.id, entry],
      title: entry === '' ? `The archive ${issue.what}` : `${entry}: ${issue.what}`,
      ...(rule === archiveRules.incomplete ? { evidenceClass: 'U' as const } : {}),
      evidence: [{ kind: 'package', ref: origin.slice(0, 4000), excerpt: excerpt(entry === '' ? issue.id : entry) }],
    });
  });
}
