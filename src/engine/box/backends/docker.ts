import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { describeError, HostError } from '../../../base/errors.ts';
import { notAvailable, yes } from '../../../base/outcome.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { compileDocker } from '../../policy/compile/docker.ts';
import { airlockTarget, type Place } from '../../policy/compile/place.ts';
import { compileSeccomp } from '../../policy/compile/seccomp.ts';
import { ConfinedBox, type Confinement } from '../box.ts';
import type { BoxBackend, BoxOptions, LimitHit } from '../contract.ts';
import { type Foundation, layFoundation } from '../foundation.ts';
import { beatSignal } from '../heart.ts';
import type { Launched } from '../launched.ts';
import { describeLimits } from '../limits-in-force.ts';
import { interpreter } from '../native-files.ts';
import { composeQuestions } from '../questions.ts';
import { splitFrames } from './docker-frames.ts';
import { buildImage as buildImageWith, hasImage, rootLinks } from './docker-image.ts';
import { widenMemory, widenProcesses } from './gvisor-room.ts';
import { sharedKernelGaps } from './shared-kernel.ts';

export const defaultDockerSocket = '/var/run/docker.sock';
const engineTimeoutMs = 60_000;

/** Loaded when it is needed: no other backend should wait for it. */
async function connect(options: Pick<BoxOptions, 'dockerSocket'>): Promise<{ docker: Docker; socketPath: string }> {
  const { default: DockerClient } = await import('dockerode');
  const socketPath = options.dockerSocket ?? defaultDockerSocket;
  return { docker: new DockerClient({ socketPath, timeout: engineTimeoutMs }), socketPath };
}

interface Engine {
  readonly version: string;
  /** `runsc` where the engine has it, since it is stronger. */
  readonly runtime: string | undefined;
  readonly cores: number;
}

async function askEngine(docker: Docker): Promise<Engine> {
  const [{ Version: version }, { Runtimes: runtimes, NCPU: cores }] = await Promise.all([
    docker.version(),
    docker.info(),
  ]);
  return { version, runtime: Object.hasOwn(runtimes ?? {}, 'runsc') ? 'runsc' : undefined, cores };
}

export async function buildImage(dockerSocket?: string): Promise<{ image: string }> {
  const { docker, socketPath } = await connect(dockerSocket === undefined ? {} : { dockerSocket });
  await docker.ping().catch((cause: unknown) => {
    throw new HostError(`no docker engine answers at ${socketPath}: ${describeError(cause)}`, {
      hint: 'start the engine, or name its socket with HOTCELL_DOCKER_SOCKET',
    });
  });
  return { image: await buildImageWith(docker) };
}

export const docker: BoxBackend = {
  id: 'docker',
  title: 'Docker: a container of an engine on this host, with gVisor where the engine has it',
  strength: 40,
  stops: [
    'files outside the policy do not exist',
    'processes of the host are not visible',
    'no network but its own loopback',
    'denied system calls',
    'memory, processes and cpu by the engine',
  ],
  cannot: [
    ...sharedKernelGaps,
    {
      id: 'engine',
      path: '',
      what: 'an error in the engine, which is root; whoever may talk to its socket is root too',
      effect: 'open',
    },
    { id: 'no-exec', path: 'files', what: 'a readable file of the host can also be executed', effect: 'open' },
    {
      id: 'remote-engine',
      path: '',
      what: 'the engine must be on this host: folders are mounted from here',
      effect: 'closed',
    },
  ],

  async check(options) {
    if (process.getuid?.() !== 0)
      return notAvailable(
        'the docker backend needs root, to own the folders it mounts',
        'run as root, or use bwrap or landlock',
      );
    const { docker: engine, socketPath } = await connect(options);
    try {
      await engine.ping();
      return yes(socketPath);
    } catch (error) {
      return notAvailable(
        `no docker engine answers at ${socketPath}: ${describeError(error)}`,
        'apt-get install docker.io, and start it; or name its socket with HOTCELL_DOCKER_SOCKET',
      );
    }
  },

  async probe(options) {
    const found = await docker.check(options);
    if (found.is !== 'yes') return found;
    const { docker: engine } = await connect(options);
    const { version, runtime } = await askEngine(engine);
    return yes({
      version,
      notes: [
        `runtime ${runtime ?? 'runc'}`,
        (await hasImage(engine)) ? 'image is there' : 'image is made at the first box',
      ],
    });
  },

  async create(policy, options) {
    const { docker: engine, socketPath } = await connect(options);
    const { runtime, cores } = await askEngine(engine);
    if (!(await hasImage(engine))) await buildImageWith(engine);
    const foundation = await layFoundation(policy, options, {
      hasOwnRoot: true,
      coverable: runtime === undefined ? ['proc', 'sys'] : [],
      users: 'unique',
      canCopy: false,
      usesCgroup: false,
    });
    return ConfinedBox.open(policy, foundation, () =>
      confine(policy, foundation, { engine, socketPath, runtime, cores }),
    );
  },
};

/** Only links at the root are in the image; what others lead to is mounted in their place. */
function withoutOtherLinks(place: Place): Place {
  const kept = rootLinks();
  const facts = [...place.pathFacts].map(([path, fact]): [string, typeof fact] =>
    fact.type === 'link' && !kept.has(path) ? [path, { type: fact.resolvedType ?? 'folder' }] : [path, fact],
  );
  return { ...place, pathFacts: new Map(facts) };
}

/** The engine refuses a share of more cores than there are. */
function fitted(policy: Policy, cores: number, runtime: string | undefined): Policy {
  const limits = { ...policy.limits, cpuCores: Math.min(policy.limits.cpuCores, cores) };
  if (runtime === undefined) return { ...policy, limits };
  return {
    ...policy,
    limits: { ...limits, processes: widenProcesses(limits.processes), memoryBytes: widenMemory(limits.memoryBytes) },
  };
}

interface EngineFacts extends Omit<Engine, 'version'> {
  readonly engine: Docker;
  readonly socketPath: string;
}

function confine(
  policy: Policy,
  foundation: Foundation,
  { engine, socketPath, runtime, cores }: EngineFacts,
): Confinement {
  const { id, undo, hooks } = foundation;
  const place = withoutOtherLinks(foundation.place);
  const { value: body, gaps } = compileDocker(fitted(policy, cores, runtime), place, {
    args: [interpreter, airlockTarget],
    cwd: '/',
    ...(runtime === undefined ? {} : { runtime }),
  });
  return {
    backend: 'docker',
    // gVisor has no filters that report.
    watchedBy: hooks.notifyFilter === undefined || runtime !== undefined ? null : 'notify',
    isOnNetwork: false,
    gaps,
    limitsInForce: describeLimits(policy.limits, foundation, 'docker'),
    questions: () =>
      composeQuestions(policy, foundation, {
        sharedNamespaces: ['user'],
        isInit: true,
        // runsc passes over the filter of a container unless the engine's configuration tells it otherwise.
        ...(runtime === undefined
          ? {}
          : {
              isFilterHidden: true,
              filter: compileSeccomp(policy, { architecture: place.architecture, hasNetworkNamespace: true }).value
                .program,
            }),
      }),
    async launch(number): Promise<Launched> {
      const name = `hotcell-${id}-${number}`;
      undo.add(['docker', socketPath, name]);
      try {
        const container = await engine.createContainer({ ...body, name } as Docker.ContainerCreateOptions);
        return await startContainer(container);
      } catch (error) {
        throw new HostError(`the docker engine did not start a box: ${describeError(error)}`, { cause: error });
      }
    },
  };
}

async function startContainer(container: Docker.Container): Promise<Launched> {
  // With `hijack` the engine's connection itself: a socket, whatever the types say.
  const attached = (await container.attach({
    stream: true,
    stdin: true,
    stdout: true,
    stderr: true,
    hijack: true,
  })) as unknown as Duplex;
  attached.on('error', () => {
    // The container ended; the engine's answer to "wait" says how.
  });
  const streams = splitFrames(attached);
  const ended = container.wait({ condition: 'next-exit' }).then(
    ({ StatusCode: code }: { StatusCode: number }) => ({ code, signal: null }),
    (cause: unknown) => {
      throw new HostError(`the docker engine lost a box: ${describeError(cause)}`, { cause });
    },
  );
  ended.catch(() => undefined);
  await container.start();
  const ignoreGone = (): void => undefined;
  return {
    stdin: attached,
    ...streams,
    pid: null,
    async pids(): Promise<readonly number[]> {
      const { State: state } = await container.inspect();
      return state.Pid > 0 ? [state.Pid] : [];
    },
    async beat(): Promise<void> {
      await container.kill({ signal: beatSignal });
    },
    ended,
    signal: (signal) => void container.kill({ signal }).catch(ignoreGone),
    end: () => void container.kill({ signal: 'SIGKILL' }).catch(ignoreGone),
    async limitsHit(): Promise<readonly LimitHit[]> {
      const { State: state } = await container.inspect();
      return state.OOMKilled ? [{ limit: 'memoryBytes', detail: 'the kernel ended it for want of memory' }] : [];
    },
  };
}
