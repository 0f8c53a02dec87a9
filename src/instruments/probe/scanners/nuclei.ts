import { existsSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { type Severity, severities } from '../../../base/finding-schema.ts';
import { asString, asStrings } from '../../../base/json-shape.ts';
import { mebibyte, minuteMs } from '../../../base/limits.ts';
import { defineScanner, type ScanFinding, type ScannerDefinition } from '../contract.ts';
import { parseNuclei } from '../parsers/nuclei.ts';
import { findingOfClaim, homeVariables, type Judgement, urlText } from './of-others.ts';
import { credentialField } from './own.ts';

/** Where templates are looked for; the first that is there. */
export const templateFolders = [
  '/opt/nuclei-templates',
  '/usr/share/nuclei-templates',
  '/usr/local/share/nuclei-templates',
] as const;

const presets = {
  api: 'api,rest,graphql,swagger,openapi',
  exposures: 'exposure,exposures,disclosure',
  misconfiguration: 'misconfig,misconfiguration,cors',
  cves: 'cve',
  technologies: 'tech,detect',
} as const;
const presetNames = ['api', 'exposures', 'misconfiguration', 'cves', 'technologies'] as const;

/** What breaks things, tries passwords, or waits for calls from elsewhere. */
const excluded = 'dos,fuzz,fuzzing,intrusive,headless,bruteforce,brute-force,default-login,oast,dast';

function atLeast(least: Severity): string {
  const named = severities.slice(severities.indexOf(least));
  return [...named, ...(least === 'info' ? ['unknown'] : [])].join(',');
}

/** A template's id is text of whoever wrote it. */
function ruleOf(template: string): string {
  const clean = template
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  return `nuclei/${clean === '' ? 'unnamed' : clean}`;
}

function judgementOf(finding: ScanFinding, template: string): Judgement {
  const cwe = asStrings(finding.cwe).flatMap((id) => /^CWE-\d{1,6}$/.exec(id.toUpperCase())?.[0] ?? []);
  return {
    rule: ruleOf(template),
    title: asString(finding.name) ?? template,
    severity: severities.find((severity) => severity === finding.severity) ?? 'info',
    cwe: [...new Set(cwe)],
    remediation:
      asString(finding.remediation) ??
      `Look up what the template ${template} checks, and change the target so that it no longer matches.`,
  };
}

function templatesIn(folders: readonly string[]): string {
  const folder = folders.find((each) => existsSync(each));
  if (folder !== undefined) return folder;
  throw new UsageError('the templates of nuclei are not on this machine', {
    code: 'TEMPLATES_MISSING',
    hint: `put nuclei-templates into ${folders[0] ?? templateFolders[0]}`,
  });
}

export function makeNucleiScan(folders: readonly string[]): ScannerDefinition {
  return defineScanner({
    name: 'nuclei_scan',
    command: 'nuclei',
    title: 'Template scan',
    description:
      'Checks a URL with templates of nuclei, chosen by preset and severity. Without callbacks, brute force and floods.',
    positional: 'url',
    input: z.strictObject({
      url: urlText.describe('http or https URL inside the scope'),
      preset: z.enum(presetNames).default('api').describe('which templates'),
      severity: z.enum(severities).default('info').describe('the least that is checked'),
      credential: credentialField,
    }),
    needs: {
      name: 'nuclei',
      package: 'nuclei, which Debian does not have: built from source, see docs/guides/probing.md',
    },
    obstacle: () =>
      folders.some((folder) => existsSync(folder))
        ? null
        : `its templates are not in ${folders[0] ?? templateFolders[0]}`,
    screened: true,
    timeoutMs: 15 * minuteMs,
    examples: [
      { input: { url: 'http://127.0.0.1:8080/' }, says: 'what is known to go wrong with APIs' },
      { input: { url: 'http://127.0.0.1:8080/', preset: 'cves', severity: 'high' }, says: 'known holes, the bad ones' },
    ],
    aim({ url }, means) {
      const aim = means.url(url);
      if (/[,"'`]/.test(aim.url ?? '')) {
        throw new UsageError('nuclei takes a comma or a quote for the end of a URL', {
          hint: 'write them as %2C, %22, %27 or %60',
        });
      }
      return aim;
    },
    build({ preset, severity }, means) {
      const { aim, pace } = means;
      const connections = String(Math.max(1, Math.min(25, pace.connections)));
      return {
        argv: [
          'nuclei',
          '-target',
          aim.url ?? aim.label,
          '-templates',
          templatesIn(folders),
          '-tags',
          presets[preset],
          '-exclude-tags',
          excluded,
          '-severity',
          atLeast(severity),
          '-type',
          'http',
          '-no-interactsh',
          '-disable-update-check',
          '-disable-redirects',
          '-no-httpx',
          '-no-stdin',
          '-system-resolvers',
          '-rate-limit',
          String(Math.max(1, Math.floor(pace.requestsPerSecond))),
          '-concurrency',
          connections,
          '-bulk-size',
          '1',
          '-payload-concurrency',
          connections,
          '-timeout',
          '10',
          '-retries',
          '0',
          '-response-size-read',
          String(mebibyte),
          '-jsonl',
          '-silent',
          '-no-color',
          '-omit-raw',
          '-omit-template',
        ],
        files: [],
        environment: homeVariables(means),
      };
    },
    parse: (output) => parseNuclei(output),
    judge(findings, aim, again) {
      return findings.flatMap((finding) => {
        const template = asString(finding.template_id);
        if (template === undefined) return [];
        const extracted = asStrings(finding.extracted);
        const parts = [template, asString(finding.matcher_name), asString(finding.description), ...extracted];
        return findingOfClaim({
          judgement: judgementOf(finding, template),
          axis: 'weakness',
          evidenceClass: 'B',
          at: asString(finding.matched_at) ?? aim.label,
          identity: [asString(finding.matcher_name) ?? ''],
          excerpt: parts.filter((part) => part !== undefined).join(' · '),
          repro: again({ url: aim.url ?? aim.label }),
        });
      });
    },
  });
}

export const nucleiScan = makeNucleiScan(templateFolders);
