import type { FileRule } from '../../base/policy-schema.ts';

type Line = readonly [paths: string, why: string];

function rules(access: FileRule['access'], lines: readonly Line[]): readonly FileRule[] {
  return lines.flatMap(([paths, why]) => paths.split(' ').map((path) => ({ path, access, why })));
}

/** What a node or python server needs to start. Never the whole of /etc: it holds secrets of the machine. */
export const commonFiles: readonly FileRule[] = [
  ...rules('execute', [
    ['/usr', 'programs, interpreters and libraries of the system'],
    ['/bin /sbin', 'programs of the system, where these are not links into /usr'],
    ['/lib /lib64 /lib32 /libx32', 'the loader and the libraries of the system'],
    ['{work}', "the target's own folder: its code is run from here"],
  ]),
  ...rules('read', [
    [
      '/etc/ssl/certs /etc/ssl/openssl.cnf /etc/ca-certificates /etc/ca-certificates.conf /etc/pki/tls/certs',
      'CA certificates',
    ],
    ['/etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d', 'where the loader finds libraries'],
    ['/etc/localtime /etc/timezone', 'the time zone'],
    ['/etc/locale.alias /etc/locale.conf /etc/default/locale', 'language and character set'],
    ['/etc/alternatives', 'links to the chosen version of a program'],
    ['/etc/nsswitch.conf /etc/resolv.conf /etc/host.conf /etc/gai.conf', 'how names are resolved'],
    ['/etc/services /etc/protocols /etc/mime.types', 'tables that libraries look up names in'],
    ['/etc/os-release /etc/debian_version', 'which system this is; runtimes ask when they start'],
    [
      '/etc/python3 /etc/python3.9 /etc/python3.10 /etc/python3.11 /etc/python3.12 /etc/python3.13',
      'settings of python',
    ],
  ]),
  ...rules('write', [['{tmp} {home}', "the box's own folder, thrown away with it"]]),
];

/** HIGH: build tools and caches beside the code. */
export const highFiles: readonly FileRule[] = [
  ...rules('write', [['{work}', 'a trusted target may keep files beside its code']]),
  ...rules('read', [['/etc/fonts /etc/magic /etc/terminfo', 'tables that tools for documents and terminals read']]),
];

/** CRITICAL: a target that is trusted with the machine's own software. */
export const criticalFiles: readonly FileRule[] = [
  ...rules('execute', [['{home} {tmp}', 'a fully trusted target may install and run programs']]),
  ...rules('read', [['/opt /srv', 'software and data of this machine outside the system folders']]),
];
