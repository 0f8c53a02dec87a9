import { type CipherWeakness, suiteName, weaknessesOf } from './cipher-suites.ts';
import { tlsVersions } from './hello.ts';
import type { TlsSighting } from './judge-certificate.ts';
import type { AcceptedSuites } from './list-suites.ts';
import type { TlsRule } from './rules.ts';

/** Flags of `openssl s_client`, or nothing: what libraries have dropped is only offered by tools that write it by hand. */
export type Again = string | null;

export interface ShownSighting {
  readonly sighting: TlsSighting;
  readonly evidence: string;
  /** To see it again. */
  readonly by: Again;
}

/** Without it OpenSSL refuses by itself to agree to old versions. */
const anything = '-cipher ALL:@SECLEVEL=0';

const versionRules: ReadonlyMap<number, { readonly rule: TlsRule; readonly by: Again }> = new Map([
  [0x0300, { rule: 'ssl-3' as const, by: null }],
  [0x0301, { rule: 'version-1-0' as const, by: ` -tls1 ${anything}` }],
  [0x0302, { rule: 'version-1-1' as const, by: ` -tls1_1 ${anything}` }],
]);

/** The last is what `openssl s_client` calls them; it has none of the others any more. */
const suiteRules: readonly (readonly [CipherWeakness, TlsRule, Again])[] = [
  ['null', 'null-cipher', 'eNULL'],
  ['anonymous', 'anonymous-cipher', 'aNULL'],
  ['export', 'export-cipher', null],
  ['des', 'des-cipher', null],
  ['rc4', 'rc4-cipher', null],
  ['3des', 'small-block-cipher', null],
  ['no-forward-secrecy', 'no-forward-secrecy', 'kRSA'],
];

const versionName = (version: number): string => tlsVersions.find(([id]) => id === version)?.[1] ?? 'TLS';

const mostShown = 12;

function shownSuites(suites: readonly number[]): string {
  const names = suites.slice(0, mostShown).map(suiteName).join(', ');
  return suites.length > mostShown ? `${names} and ${suites.length - mostShown} more` : names;
}

function judgeVersions(accepted: readonly AcceptedSuites[]): readonly ShownSighting[] {
  const used = accepted.filter(({ suites }) => suites.length > 0);
  const old = used.flatMap(({ version, suites }) => {
    const known = versionRules.get(version);
    if (known === undefined) return [];
    const evidence = `${versionName(version)} agreed to with ${shownSuites(suites)}`;
    const sighting = { rule: known.rule, detail: `The server agrees to ${versionName(version)}.` };
    return [{ sighting, evidence, by: known.by }];
  });
  if (used.some(({ version }) => version >= 0x0303)) return old;
  const versions = used.map(({ version }) => versionName(version)).join(', ');
  const sighting = { rule: 'no-modern-version' as const, detail: `All it agrees to is ${versions}.` };
  return [...old, { sighting, evidence: `agreed to: ${versions}`, by: ' -tls1_2' }];
}

function judgeNamed(accepted: readonly AcceptedSuites[]): readonly ShownSighting[] {
  return suiteRules.flatMap(([weakness, rule, name]) => {
    const places = accepted.flatMap(({ version, suites }) => {
      const weak = suites.filter((id) => weaknessesOf(id).includes(weakness));
      return weak.length === 0 ? [] : [`${versionName(version)}: ${shownSuites(weak)}`];
    });
    if (places.length === 0) return [];
    const sighting = {
      rule,
      detail: `The server agrees to them with ${places.map((place) => place.split(':', 1)[0]).join(', ')}.`,
    };
    const by = name === null ? null : ` -no_tls1_3 -cipher ${name}:@SECLEVEL=0`;
    return [{ sighting, evidence: places.join('\n'), by }];
  });
}

function judgeDetails(accepted: readonly AcceptedSuites[]): readonly ShownSighting[] {
  const found: ShownSighting[] = [];
  const oldest = accepted.find(({ version }) => version === 0x0301);
  const chained = oldest?.suites.filter((id) => weaknessesOf(id).includes('cbc')) ?? [];
  if (chained.length > 0) {
    const sighting = {
      rule: 'cbc-in-version-1-0' as const,
      detail: 'Clients have to work around BEAST themselves.',
    };
    found.push({ sighting, evidence: shownSuites(chained), by: ` -tls1 ${anything}` });
  }
  const compressed = accepted.find(({ first }) => first !== null && first.compression !== 0);
  if (compressed !== undefined) {
    const sighting = {
      rule: 'compression' as const,
      detail: 'What is compressed gives away secrets by its length.',
    };
    found.push({
      sighting,
      evidence: `${versionName(compressed.version)} with compression`,
      by: ` -no_tls1_3 -comp ${anything}`,
    });
  }
  const insecure = accepted.find(
    ({ version, first }) => version < 0x0304 && first !== null && !first.hasSecureRenegotiation,
  );
  if (insecure !== undefined) {
    const detail = 'The answer to an offer of secure renegotiation does not take it up.';
    const sighting = { rule: 'no-secure-renegotiation' as const, detail };
    found.push({
      sighting,
      evidence: `${versionName(insecure.version)} without renegotiation_info`,
      by: ` -no_tls1_3 ${anything}`,
    });
  }
  return found;
}

export function judgeSuites(accepted: readonly AcceptedSuites[]): readonly ShownSighting[] {
  return [...judgeVersions(accepted), ...judgeNamed(accepted), ...judgeDetails(accepted)];
}
