import { normaliseText } from '../../../base/normalise.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { grantsOf } from '../canonical.ts';
import { isWithin } from '../paths.ts';
import { commonDenials } from '../syscalls/deny.ts';
import type { Notice } from './problem.ts';

/** What a valid policy gives away without saying so. */

const tellingPaths: readonly (readonly [path: string, what: string])[] = [
  ['/etc/shadow', 'password hashes of this machine'],
  ['/root', 'the home folder of root'],
  ['/home', 'the home folders of people on this machine'],
  ['/var/run/docker.sock', 'the docker socket, which is as good as root on the host'],
  ['/run/docker.sock', 'the docker socket, which is as good as root on the host'],
];

/** Variables that make a program load code, or another program than was asked for. */
const loadingNames =
  /^(LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|BASH_ENV|ENV|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|GIT_.*|IFS)$/;

function fileNotices({ files }: Policy): Notice[] {
  return files.flatMap(({ path, access }): Notice[] => {
    const given = tellingPaths.find(([telling]) => isWithin(telling, path) || isWithin(path, telling));
    if (given === undefined) return [];
    return [{ id: 'gives-secrets', path: 'files', what: `${access} ${path} gives ${given[1]}` }];
  });
}

function writableCode({ files, tier }: Policy): Notice[] {
  if (tier === 'HIGH' || tier === 'CRITICAL') return [];
  return grantsOf(files)
    .filter(({ write, execute }) => write && execute)
    .map(({ path }) => ({ id: 'writable-code', path: 'files', what: `${path} can be both written and executed` }));
}

function environmentNotices({ environment }: Policy): Notice[] {
  return environment.flatMap(({ name }): Notice[] =>
    loadingNames.test(name)
      ? [{ id: 'loads-code', path: 'environment', what: `${name} lets whoever sets it run code in the target` }]
      : [],
  );
}

function limitNotices({ limits }: Policy): Notice[] {
  if (limits.diskBytes <= limits.memoryBytes / 2) return [];
  const what = 'the folders of a box are kept in memory: more than half of limits.memoryBytes may never be reached';
  return [{ id: 'disk-above-memory', path: 'limits.diskBytes', what }];
}

function syscallNotices({ syscalls }: Policy): Notice[] {
  const denied = new Set(syscalls.deny.map(({ name }) => name));
  const missing = commonDenials.filter(({ name }) => !denied.has(name) && !denied.has(name.replace(/\(.*$/, '')));
  if (missing.length === 0) return [];
  const some = missing.slice(0, 5).map(({ name }) => name);
  const what = `${missing.length} calls that every tier refuses are allowed: ${some.join(', ')}${missing.length > 5 ? ', …' : ''}`;
  return [{ id: 'syscalls-allowed', path: 'syscalls.deny', what }];
}

function nameNotices({ name }: Policy): Notice[] {
  return normaliseText(name).changes.length === 0
    ? []
    : [{ id: 'unusual-characters', path: 'name', what: 'the name holds invisible or look-alike characters' }];
}

export function noticesOf(policy: Policy): readonly Notice[] {
  const ask = [nameNotices, fileNotices, writableCode, environmentNotices, limitNotices, syscallNotices];
  return ask.flatMap((question) => question(policy));
}
