import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { HostError, UsageError } from '../../../base/errors.ts';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import type { NetEvent } from '../event.ts';
import { judgeEnd, type WireCompleteness } from '../fake-internet.ts';
import { NetworkNamespaces } from '../namespace.ts';
import type { PassedStream } from '../router/messages.ts';
import { RouterProcess } from '../router/router-process.ts';
import type { EgressAttempts } from './attempts.ts';
import { type ConnectAddress, connectAddress } from './connect-address.ts';
import { GateConnection, type GateMeans, type InspectConnection } from './connection.ts';
import { GateLog } from './gate-log.ts';
import { defaultEgressLimits, type EgressLimits } from './limits.ts';
import { hostResolver, type ResolveHost } from './resolve-host.ts';
import { type EgressMode, RulesInForce } from './rules-in-force.ts';

/**
 * The way out of a box for exactly the hosts and ports of its policy:
 *
 *     box ── eth0 ═══ wire ── router process ── socket of the box ──> gate ── its own socket ── host
 *                              (no way out)                           (resolves, checks, connects)
 *
 * The router process hands the box's sockets up; a socket of the host's network never goes down.
 */

export interface EgressGateOptions {
  /** Lower-case letters, digits and dashes; part of the names of the namespaces. */
  readonly runId: string;
  /** Its network has the mode `allowlist`. */
  readonly policy: Policy;
  /** The box is slowed down until it has returned or its promise has resolved. When it fails, everything is cut. */
  readonly onEvents: (events: readonly NetEvent[]) => void | Promise<void>;
  /** Default: the host's own resolver. */
  readonly resolve?: ResolveHost;
  readonly connect?: ConnectAddress;
  readonly limits?: Partial<EgressLimits>;
  /** Looks at what connections carry out of the box, as far as it is not encrypted. */
  readonly inspect?: InspectConnection;
}

export class EgressGate implements AsyncDisposable {
  readonly namespaces: NetworkNamespaces;
  readonly #router: RouterProcess;
  readonly #desk: Desk;
  readonly #rules: RulesInForce;
  #end: Promise<WireCompleteness> | null = null;

  private constructor(namespaces: NetworkNamespaces, router: RouterProcess, desk: Desk, rules: RulesInForce) {
    this.namespaces = namespaces;
    this.#router = router;
    this.#desk = desk;
    this.#rules = rules;
    // Without the router nothing is recorded of what the box tries, so nothing may go on.
    void router.exited.then(() => desk.close());
  }

  static async start(options: EgressGateOptions): Promise<EgressGate> {
    const { policy } = options;
    if (policy.network.mode !== 'allowlist') {
      throw new UsageError(`cannot open an egress gate for a network of mode ${policy.network.mode}`);
    }
    const limits = { ...defaultEgressLimits, ...options.limits };
    const rules = new RulesInForce(policy);
    const desk = new Desk({
      get policy() {
        return rules.policy;
      },
      isListed: (host, port) => rules.isListed(host, port),
      limits,
      resolve: options.resolve ?? hostResolver(),
      connect: options.connect ?? connectAddress,
      log: new GateLog(options.onEvents),
      inspect: options.inspect ?? null,
    });
    const namespaces = await NetworkNamespaces.create(options.runId, { answersEcho: false });
    try {
      const config = {
        seed: randomBytes(16).toString('hex'),
        hosts: rules.hosts,
        caps: { connections: limits.connections, keptBytes: limits.keptBytes, idleMs: limits.idleMs },
      };
      const router = await RouterProcess.start(
        (argv) => namespaces.inRouter(argv),
        { type: 'start-gate', config },
        { onEvents: (events) => desk.put(events), onStream: (stream, socket) => desk.take(stream, socket) },
      );
      return new EgressGate(namespaces, router, desk, rules);
    } catch (error) {
      await namespaces.close();
      throw error;
    }
  }

  /** What the box tried in vain since the gate was opened. */
  get attempts(): EgressAttempts {
    return this.#desk.log.attempts;
  }

  get blockedAttempts(): number {
    return this.attempts.blocked;
  }

  /**
   * Puts other rules in the place of those in force. Connections that they would not let through are reset and counted;
   * it resolves when names, too, are answered by the new rules.
   */
  async setRules(rules: readonly NetworkRule[], mode: EgressMode = 'default-deny'): Promise<{ readonly cut: number }> {
    if (this.#end !== null) throw new HostError('cannot change the rules of an egress gate that is closed');
    this.#rules.set(rules, mode);
    const cut = this.#desk.recheck();
    await this.#router.setHosts(this.#rules.hosts);
    return { cut };
  }

  get routerPid(): number | undefined {
    return this.#router.pid;
  }

  /** Cuts what is still open, ends the router after it has handed over everything, and removes both namespaces. */
  close(): Promise<WireCompleteness> {
    this.#end ??= this.#finish();
    return this.#end;
  }

  async #finish(): Promise<WireCompleteness> {
    try {
      await this.#desk.close();
      const end = await this.#router.stop();
      // Connections that were on their way when the desk closed.
      await this.#desk.close();
      await this.#desk.log.flush();
      return judgeEnd({ ...end, received: this.#desk.log.count });
    } finally {
      await this.namespaces.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The connections that are open. */
class Desk {
  readonly #means: GateMeans;
  readonly #open = new Map<GateConnection, Promise<void>>();
  #isClosed = false;

  constructor(means: GateMeans) {
    this.#means = means;
  }

  get log(): GateLog {
    return this.#means.log;
  }

  /** What the router heard. */
  async put(events: readonly NetEvent[]): Promise<void> {
    try {
      await this.log.put(events);
    } catch (error) {
      this.#cutAll();
      throw error;
    }
  }

  async take(stream: PassedStream, socket: Socket | null): Promise<void> {
    if (socket === null) {
      await this.#recordKnock(stream);
      return;
    }
    const connection = new GateConnection(socket, stream, this.#means);
    // It fails only when it cannot be recorded; that is told when the gate is closed, and until then nothing goes on.
    const served = connection
      .serve()
      .catch(() => this.#cutAll())
      .finally(() => this.#open.delete(connection));
    this.#open.set(connection, served);
    if (this.#isClosed) connection.cut();
    await served;
  }

  async #recordKnock({ connection, peer, asked }: PassedStream): Promise<void> {
    const source = { transport: 'tcp', connection, peer, asked, isInsideTls: false } as const;
    await this.log.record(source, 'connection-open');
    await this.log.record(source, 'connection-close', {
      fields: { bytesRead: 0, bytesWritten: 0, problem: 'it was closed before it could be served' },
    });
  }

  /** How many connections the rules that are in force now have ended. */
  recheck(): number {
    return [...this.#open.keys()].filter((connection) => connection.recheck()).length;
  }

  #cutAll(): void {
    this.#isClosed = true;
    for (const connection of this.#open.keys()) connection.cut();
  }

  /** Cuts everything, now and from now on, and resolves when every end has been recorded. */
  async close(): Promise<void> {
    this.#cutAll();
    await Promise.all(this.#open.values());
  }
}
