import type { EnvironmentRule } from '../../base/policy-schema.ts';

/**
 * Names that a caller may pass. What makes a program load code or change its path is in no tier: LD_*, NODE_OPTIONS,
 * PYTHONPATH, PYTHONSTARTUP, BASH_ENV, PERL5OPT, RUBYOPT, JAVA_TOOL_OPTIONS, GIT_*.
 */

type Line = readonly [names: string, why: string];

function rules(lines: readonly Line[]): readonly EnvironmentRule[] {
  return lines.flatMap(([names, why]) => names.split(' ').map((name) => ({ name, why })));
}

export const searchPath = '/usr/local/bin:/usr/bin:/bin';

export const commonEnvironment: readonly EnvironmentRule[] = [
  { name: 'PATH', value: searchPath, why: 'where programs are found; fixed, so that nobody puts a folder before it' },
  ...rules([
    ['HOME USER LOGNAME SHELL HOSTNAME PWD', 'who and where the target is'],
    ['LANG LANGUAGE LC_ALL LC_CTYPE TZ', 'language, character set and time zone'],
    ['TERM COLUMNS LINES NO_COLOR FORCE_COLOR', 'how output is shown'],
    ['TMPDIR TMP TEMP XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME', 'where files for a while are put'],
    ['NODE_ENV PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYTHONDONTWRITEBYTECODE', 'how node and python behave'],
    ['SSL_CERT_FILE SSL_CERT_DIR', 'where CA certificates are'],
    ['LOG_LEVEL DEBUG CI', 'how much a server tells'],
  ]),
];

export const mediumEnvironment: readonly EnvironmentRule[] = rules([
  ['ANTHROPIC_API_KEY OPENAI_API_KEY GITHUB_TOKEN', 'keys for the APIs this tier may reach'],
  ['NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE', 'further CA certificates for those APIs'],
]);

export const highEnvironment: readonly EnvironmentRule[] = rules([
  ['HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy', 'the way out to the network'],
  ['PORT HOST', 'where a server listens inside the box'],
]);

export const criticalEnvironment: readonly EnvironmentRule[] = rules([
  ['DATABASE_URL REDIS_URL', 'services a fully trusted target may use'],
  ['AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN', 'an account a fully trusted target may use'],
]);
