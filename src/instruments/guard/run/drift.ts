import type { Policy } from '../../../base/policy-schema.ts';
import { allowsConnection } from '../../../engine/policy/network.ts';
import { type AccessIndex, accessAt, cleanPath, indexAccess, isWithin } from '../../../engine/policy/paths.ts';

/**
 * Drift: what the policy allows although nobody has ever seen it. A line that was learnt names its evidence in `seenIn`; a
 * policy in which no line does is not learnt, and there is nothing that it could drift from.
 */

export type DriftKind = 'host' | 'tool' | 'program' | 'file';

export interface DriftFact {
  readonly kind: DriftKind;
  readonly what: string;
}

export interface DriftOptions {
  /** Places that the server is started from. */
  readonly own: readonly string[];
  /** Folders of the box. A folder of the host that is shown inside one of them is not the box's. */
  readonly boxFolders: readonly string[];
}

const mostFacts = 1000;
const kernelFolders = ['/proc', '/dev', '/sys'];

interface Evidence {
  readonly seenIn?: readonly string[] | undefined;
}

const isSeen = ({ seenIn }: Evidence): boolean => seenIn !== undefined && seenIn.length > 0;

export class Drift {
  readonly isInformed: boolean;
  readonly #hosts: Policy;
  readonly #tools: ReadonlySet<string> | null;
  readonly #files: AccessIndex;
  readonly #programs: AccessIndex;
  readonly #namedPrograms: ReadonlySet<string>;
  readonly #own: readonly string[];
  readonly #boxFolders: readonly string[];
  readonly #shown: readonly string[];
  readonly #told = new Set<string>();

  constructor(policy: Policy, { own, boxFolders }: DriftOptions, isFile: (path: string) => boolean = () => false) {
    const files = policy.files.filter(isSeen);
    const programs = files.filter(({ access }) => access === 'execute');
    const rules = policy.network.rules.filter(isSeen);
    const tools = policy.tools?.filter(isSeen) ?? null;
    this.isInformed = files.length + rules.length + (tools?.length ?? 0) > 0;
    this.#hosts = { ...policy, network: { mode: 'allowlist', rules } };
    this.#tools = tools === null || tools.length === 0 ? null : new Set(tools.map(({ tool }) => tool));
    this.#files = indexAccess(files);
    this.#programs = indexAccess(programs);
    this.#namedPrograms = new Set(programs.map(({ path }) => cleanPath(path)).filter(isFile));
    this.#own = own.map(cleanPath);
    this.#boxFolders = boxFolders.map(cleanPath);
    this.#shown = policy.files.map(({ path }) => cleanPath(path)).filter((path) => path.startsWith('/'));
  }

  host(host: string, port: number): DriftFact | null {
    return allowsConnection(this.#hosts, host, port) ? null : this.#first({ kind: 'host', what: `${host}:${port}` });
  }

  tool(name: string): DriftFact | null {
    if (this.#tools === null || this.#tools.has(name)) return null;
    return this.#first({ kind: 'tool', what: name });
  }

  /** Where the evidence names programs one by one, the folder that they lie in is not enough. */
  program(path: string): DriftFact | null {
    const clean = cleanPath(path);
    if (this.#isOwn(clean)) return null;
    const isKnown =
      this.#namedPrograms.size > 0 ? this.#namedPrograms.has(clean) : accessAt(this.#programs, clean).execute;
    return isKnown ? null : this.#first({ kind: 'program', what: clean });
  }

  file(path: string, access: 'read' | 'write'): DriftFact | null {
    const clean = cleanPath(path);
    if (this.#isOwn(clean) || accessAt(this.#files, clean)[access]) return null;
    return this.#first({ kind: 'file', what: `${access} ${clean}` });
  }

  #isOwn(path: string): boolean {
    const lies = (folder: string): boolean => isWithin(path, folder);
    if (this.#own.some(lies) || kernelFolders.some(lies)) return true;
    return this.#boxFolders.some(lies) && !this.#shown.some(lies);
  }

  #first(fact: DriftFact): DriftFact | null {
    const key = `${fact.kind} ${fact.what}`;
    if (!this.isInformed || this.#told.has(key) || this.#told.size >= mostFacts) return null;
    this.#told.add(key);
    return fact;
  }
}
