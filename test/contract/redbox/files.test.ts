import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostTools } from '../../../src/engine/host/index.ts';
import { parseYamlObject } from '../../../src/instruments/analyze/inspect/sbom/readers/parse.ts';
import { readScope } from '../../../src/instruments/probe/scope/index.ts';
import { documentedRuns, hardeningOf, imageSettings, readRedbox, readStages, repository } from './files.ts';

interface Service {
  readonly [key: string]: unknown;
  readonly build: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly volumes: readonly { readonly type: string; readonly target: string; readonly read_only: boolean }[];
  readonly networks: readonly string[];
}

interface Network {
  readonly name: string;
  readonly internal: boolean;
  readonly ipam: { readonly config: readonly { readonly subnet: string }[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, Network>>;
}

const compose = parseYamlObject(readRedbox('compose.yaml')) as unknown as Compose;

/** What holds the service, and the flag of docker that does the same. */
const sameFlag: Readonly<Record<string, string>> = {
  user: '--user',
  read_only: '--read-only',
  tmpfs: '--tmpfs',
  cap_drop: '--cap-drop',
  security_opt: '--security-opt',
  pids_limit: '--pids-limit',
  mem_limit: '--memory',
};
const placeKeys = ['image', 'build', 'stdin_open', 'volumes', 'networks'];

function redbox(): Service {
  const service = compose.services.redbox;
  if (service === undefined) throw new Error('compose.yaml has no service redbox');
  return service;
}

function networkOf({ networks }: Service): Network {
  const network = compose.networks[networks[0] ?? ''];
  if (network === undefined) throw new Error('compose.yaml does not say what network that is');
  return network;
}

describe('compose.yaml', () => {
  it('holds its service by the flags of the documented run, all of them and no others', () => {
    const held = Object.entries(redbox()).filter(([key]) => !placeKeys.includes(key));
    const asFlags = held.map(([key, value]) => [sameFlag[key] ?? `no flag for ${key}`, [value].flat().map(String)]);
    const runs = documentedRuns();
    expect(runs).toHaveLength(2);
    for (const run of runs) expect(hardeningOf(run)).toEqual(Object.fromEntries(asFlags));
    expect(asFlags).toHaveLength(Object.keys(sameFlag).length);
  });

  it('has one service, on a network that leads nowhere, with nothing published', () => {
    expect(Object.keys(compose.services)).toEqual(['redbox']);
    const service = redbox();
    expect(service.networks).toHaveLength(1);
    expect(networkOf(service).internal).toBe(true);
    expect(service).not.toHaveProperty('ports');
    expect(service).not.toHaveProperty('privileged');
  });

  it('mounts the scope alone, and that read-only', () => {
    expect(redbox().volumes).toEqual([
      { type: 'bind', source: expect.stringMatching(/:-\.\/scope\}$/), target: '/scope', read_only: true },
    ]);
    const mounts = documentedRuns().map(({ flags }) => flags.get('--volume'));
    expect(mounts).toEqual([['"$PWD/redbox/scope:/scope:ro"'], ['"$PWD/redbox/scope:/scope:ro"']]);
  });

  it('builds a stage that the Dockerfile has', () => {
    const { context, dockerfile, target } = redbox().build;
    expect([context, dockerfile]).toEqual(['..', 'redbox/Dockerfile']);
    const byDefault = /:-(\w+)\}$/.exec(target)?.[1];
    expect(readStages().at(-1)?.name).toBe(byDefault);
  });

  it('names the network that the page for users talks about', () => {
    const { name } = networkOf(redbox());
    const [stdio] = documentedRuns();
    expect(stdio?.flags.get('--network')).toEqual([name]);
    expect(readRedbox('README.md')).toContain(`hotcell probe egress --network ${name} `);
  });
});

describe('redbox.mcp.json', () => {
  it('starts the service of compose.yaml over stdio', () => {
    const { mcpServers } = JSON.parse(readRedbox('redbox.mcp.json')) as {
      readonly mcpServers: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;
    };
    const [server] = Object.values(mcpServers);
    expect(server?.command).toBe('docker');
    const [first, , file, ...rest] = server?.args ?? [];
    expect([first, file]).toEqual(['compose', 'redbox/compose.yaml']);
    expect(readFileSync(`${repository}/${file ?? ''}`, 'utf8')).toBe(readRedbox('compose.yaml'));
    expect(rest).toEqual(['run', '--rm', '-i', '-T', Object.keys(compose.services)[0]]);
  });
});

describe('the scope that comes with it', () => {
  it('is one, and its target can join the network', () => {
    const { targets } = readScope(readRedbox('scope/scope.json'), 'scope.json');
    const [subnet = ''] = networkOf(redbox()).ipam.config.map((each) => each.subnet);
    const start = /:-([\d.]+)\.0\/24\}$/.exec(subnet)?.[1] ?? 'no subnet';
    expect(targets.map((target) => target.startsWith(`${start}.`))).toEqual([true]);
    expect(readRedbox('README.md')).toContain(`--ip ${targets[0]} `);
  });
});

describe('the Dockerfile', () => {
  const stages = readStages();

  it('has every stage after those that it takes from, and none before plain that plain does not need', () => {
    expect(stages.map(({ name }) => name)).toEqual(['hotcell', 'plain', 'nuclei', 'templates', 'full']);
    const seen: string[] = [];
    for (const { from, name, instructions } of stages) {
      const sources = instructions.flatMap((line) => /^COPY --from=(\S+)/.exec(line)?.[1] ?? []);
      const needed = [...sources, ...(from.startsWith('$') ? [] : [from])];
      expect(needed.filter((source) => !seen.includes(source))).toEqual([]);
      seen.push(name);
    }
  });

  it('runs as a user without rights, with a gate kept by the host', () => {
    const settings = imageSettings();
    expect(settings).toContain('USER 1000:1000');
    expect(settings.find((line) => line.startsWith('ENV'))).toContain('HOTCELL_PROBE_NETWORK_LAYER=outside');
    const changes = stages.at(-1)?.instructions.filter((line) => !line.startsWith('COPY '));
    expect(changes).toEqual([]);
  });

  it('installs the scanners that Debian has', () => {
    const plain = stages.find(({ name }) => name === 'plain')?.instructions.join('\n') ?? '';
    const [, packages = ''] = /--no-install-recommends ([a-z -]+?) +&&/.exec(plain) ?? [];
    const scanners = hostTools.filter(({ usedFor }) => /^(nmap_scan|ffuf_discover|arjun_params):/.test(usedFor));
    expect(scanners).toHaveLength(3);
    for (const scanner of scanners) expect(packages.split(' ')).toContain(scanner.package);
  });

  it('is given no history, no tests and nothing that is hidden', () => {
    const rules = readFileSync(`${repository}/.dockerignore`, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const back = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
    const copied = stages.flatMap(({ instructions }) =>
      instructions.flatMap((line) =>
        /^COPY (?!--)/.test(line)
          ? line
              .split(/\s+/)
              .slice(1, -1)
              .map((path) => path.replace(/\/$/, ''))
          : [],
      ),
    );
    expect(new Set(back)).toEqual(new Set(copied));
    const last = rules.slice(rules.lastIndexOf(`!${back.at(-1) ?? ''}`) + 1);
    expect(last).toEqual(expect.arrayContaining(['**/*.test.ts', '**/.*', '**/*.pem', '**/*.key']));
  });
});
