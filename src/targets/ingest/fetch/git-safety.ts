import type { GitProtocol } from '../target/contract.ts';
import type { FetchContext } from './contract.ts';

/** What git may do for us. The user's own settings stay in force where they say how to reach a server. */

const protocolsFor: Readonly<Record<GitProtocol, readonly string[]>> = {
  // A user can have told git to take one for the other.
  https: ['https', 'ssh'],
  ssh: ['https', 'ssh'],
  file: ['file'],
};

const fixed = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=false',
  'core.attributesFile=/dev/null',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.unpackLimit=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
  'http.followRedirects=initial',
];

export function gitArguments(protocol: GitProtocol): string[] {
  const allowed = protocolsFor[protocol].map((name) => `protocol.${name}.allow=always`);
  return [...fixed, ...allowed].flatMap((setting) => ['-c', setting]);
}

const passedOn = [
  ...[
    'PATH',
    'XDG_CONFIG_HOME',
    'SSH_AUTH_SOCK',
    'GIT_CONFIG_GLOBAL',
    'GIT_SSL_CAINFO',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ],
  ...['http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy'],
];

export function gitEnvironment(protocol: GitProtocol, context: FetchContext): Record<string, string> {
  const kept = passedOn.flatMap((name) => {
    const value = context.environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    HOME: context.home,
    GIT_ALLOW_PROTOCOL: protocolsFor[protocol].join(':'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oStrictHostKeyChecking=yes',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  };
}
