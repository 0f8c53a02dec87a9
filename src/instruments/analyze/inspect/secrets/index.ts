import { posix } from 'node:path';
import type { Finding } from '../../../../base/finding-schema.ts';
import { mebibyte } from '../../../../base/limits.ts';
import { readFormats, type SecretFormat } from '../../../../targets/secrets/formats.ts';
import { type FoundSecret, scanText } from '../../../../targets/secrets/scan-text.ts';
import type { Inspected, Inspection, Issue } from '../contract.ts';
import { readBytes } from '../read-file.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { secretRules } from './rules.ts';

export { readFormats } from '../../../../targets/secrets/formats.ts';
export { redact } from '../../../../targets/secrets/scan-text.ts';
export { secretRules } from './rules.ts';

export interface SecretsReport {
  readonly scannedFiles: number;
  readonly found: readonly (FoundSecret & { readonly path: string })[];
}

const largestFileBytes = 8 * mebibyte;
const randomByNature =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock|uv\.lock|poetry\.lock|Pipfile\.lock|go\.sum|Cargo\.lock|RECORD|integrity\.json)$|\.(?:map|svg|csv|ipynb|min\.js|lock)$/;
/** Tests and documentation are published too, and hold made-up values: still told when the form is a vendor's, one step lower. */
const illustrative =
  /(?:^|\/)(?:tests?|__tests__|spec|fixtures?|examples?|samples?|docs?|mocks?|__mocks__)\/|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)test_[^/]*\.py$|\.(?:md|mdx|rst)$|\.(?:example|sample|template|dist)$/i;
const installed = /(?:^|\/)(?:node_modules|site-packages)\//;

/** Text, as far as anybody can tell by its first bytes. */
const isText = (bytes: Buffer): boolean => !bytes.subarray(0, 8192).includes(0);

const ruleOf = { format: secretRules.format, assigned: secretRules.assigned, url: secretRules.url } as const;

function findingOf(secret: FoundSecret, path: string): Finding {
  const rule = ruleOf[secret.kind];
  const isIllustration = illustrative.test(path);
  const severity = isIllustration ? ('low' as const) : (secret.severity ?? rule.severity);
  return makeFinding(rule, {
    identity: [path, secret.name, secret.redacted],
    title: `${secret.title}: ${secret.redacted}`,
    severity,
    locations: [{ path, line: secret.line }],
    evidence: [
      { kind: 'source', ref: `${path}:${secret.line}`, excerpt: excerpt(`${secret.name} = ${secret.redacted}`) },
    ],
  });
}

const mostPlaces = 20;

/** The same secret on several lines of a file is one finding in several places. */
function mergeSame(findings: readonly Finding[]): readonly Finding[] {
  return [...Map.groupBy(findings, ({ id }) => id).values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [
          {
            ...first,
            locations: [...first.locations, ...more.flatMap(({ locations }) => locations)].slice(0, mostPlaces),
          },
        ],
  );
}

/** One text, such as a client's settings, that is not a file of the target. */
export function inspectTextForSecrets(
  path: string,
  text: string,
  formats: readonly SecretFormat[] = readFormats(),
): readonly Finding[] {
  return mergeSame(scanText(text, formats, { withEntropy: true }).map((secret) => findingOf(secret, path)));
}

export function inspectSecrets({ root, files }: Inspected): Inspection<SecretsReport> {
  const formats = readFormats();
  const issues: Issue[] = [];
  const found: (FoundSecret & { readonly path: string })[] = [];
  let scannedFiles = 0;
  for (const path of files) {
    const read = readBytes(root, path, largestFileBytes);
    if ('problem' in read) {
      issues.push({ path, problem: read.problem });
      continue;
    }
    if (!isText(read.bytes)) continue;
    scannedFiles += 1;
    const withEntropy =
      !randomByNature.test(path) &&
      !installed.test(path) &&
      !illustrative.test(path) &&
      posix.basename(path) !== 'LICENSE';
    for (const secret of scanText(read.bytes.toString('utf8'), formats, { withEntropy }))
      found.push({ ...secret, path });
  }
  return {
    findings: mergeSame(found.map((secret) => findingOf(secret, secret.path))),
    issues,
    data: { scannedFiles, found },
  };
}
