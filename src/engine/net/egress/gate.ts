import { randomBytes } from 'node:crypto';
import { HostError, UsageError } from '../../../base/errors.ts';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import { addressBytes } from '../addresses.ts';
import { openLoopback } from '../box-loopback.ts';
import type { NetEvent } from '../event.ts';
import { judgeEnd, type WireCompleteness } from '../fake-internet.ts';
import { holdFirstPackets } from '../holder/hold-rules.ts';
import { HolderProcess } from '../holder/holder-process.ts';
import { routerAddress, routerLink } from '../layout.ts';
import { NetworkNamespaces } from '../namespace.ts';
import { RouterProcess } from '../router/router-process.ts';
import type { EgressAttempts } from './attempts.ts';
import type { GateBridge } from './bridge.ts';
import { type ConnectAddress, connectAddress } from './connect-address.ts';
import type { InspectConnection } from './connection.ts';
import { Desk } from './desk.ts';
import type { DecideEgress } from './find-way.ts';
import { GateLog } from './gate-log.ts';
import { defaultEgressLimits, type EgressLimits } from './limits.ts';
import { LoopbackNames, leadLoopback } from './loopback.ts';
import { hostResolver, type ResolveHost } from './resolve-host.ts';
import { type EgressMode, RulesInForce } from './rules-in-force.ts';
import { isWithinRange } from './special-address.ts';

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
  /** Decides in the place of the policy's rules, which then only say which names exist and which a hello may be for. */
  readonly decide?: DecideEgress;
  /** Waited for before each connection to the outside is attempted: the caller's rate. The signal says who has left. */
  readonly pace?: (signal: AbortSignal) => Promise<void>;
  /**
   * A connection of the box is accepted only when its target has accepted ours, reset when that or the rules refuse, and
   * left without an answer when nothing answers: ports look as they are. Without it every port accepts at first.
   */
  readonly holdsHandshakes?: boolean;
  /** Loopback addresses that mean the host's own and not the box's. They have to be allowed like any other. */
  readonly hostLoopback?: readonly string[];
  /** Carries what was allowed in the place of the gate's own splice, which would look at the first bytes alone. */
  readonly bridge?: GateBridge | null;
}

/** Where the router process makes addresses up for names. */
const madeUpRanges = ['198.18.0.0/15', '2001:db8::/32'];

function isMadeUp(address: string): boolean {
  const bytes = addressBytes(address);
  return bytes !== null && madeUpRanges.some((range) => isWithinRange(bytes, range));
}

async function startHolder(namespaces: NetworkNamespaces, router: RouterProcess, desk: Desk): Promise<HolderProcess> {
  const inRouter = (argv: readonly string[]): readonly string[] => namespaces.inRouter(argv);
  await holdFirstPackets(inRouter, routerLink);
  const holder = await HolderProcess.start(inRouter);
  desk.hold({
    give: (id, verdict) => holder.give(id, verdict),
    nameOf: async (address) => (isMadeUp(address) ? router.nameOf(address) : null),
  });
  holder.listen((packets) => desk.knock(packets));
  return holder;
}

export class EgressGate implements AsyncDisposable {
  readonly namespaces: NetworkNamespaces;
  readonly #router: RouterProcess;
  readonly #holder: HolderProcess | null;
  readonly #desk: Desk;
  readonly #rules: RulesInForce;
  #end: Promise<WireCompleteness> | null = null;

  private constructor(
    namespaces: NetworkNamespaces,
    processes: { readonly router: RouterProcess; readonly holder: HolderProcess | null },
    desk: Desk,
    rules: RulesInForce,
  ) {
    const { router, holder } = processes;
    this.namespaces = namespaces;
    this.#router = router;
    this.#holder = holder;
    this.#desk = desk;
    this.#rules = rules;
    // Without the router nothing is recorded of what the box tries, so nothing may go on.
    void router.exited.then(() => desk.close());
    void holder?.exited.then(() => desk.close());
  }

  static async start(options: EgressGateOptions): Promise<EgressGate> {
    const { policy } = options;
    if (policy.network.mode !== 'allowlist') {
      throw new UsageError(`cannot open an egress gate for a network of mode ${policy.network.mode}`);
    }
    const limits = { ...defaultEgressLimits, ...options.limits };
    const rules = new RulesInForce(policy);
    const leads = leadLoopback(options.hostLoopback ?? []);
    const means = {
      get policy() {
        return rules.policy;
      },
      decide: options.decide ?? null,
      pace: options.pace ?? null,
      isListed: (host: string, port: number) => options.decide !== undefined || rules.isListed(host, port),
      limits,
      resolve: options.resolve ?? hostResolver(),
      connect: options.connect ?? connectAddress,
      log: new GateLog(options.onEvents),
      inspect: options.inspect ?? null,
      bridge: options.bridge ?? null,
    };
    const desk = new Desk(means, new LoopbackNames(leads));
    const { holdsHandshakes = false } = options;
    const namespaces = await NetworkNamespaces.create(options.runId, { answersEcho: false, holdsHandshakes });
    let router: RouterProcess | null = null;
    try {
      await openLoopback(namespaces, leads);
      const config = {
        seed: randomBytes(16).toString('hex'),
        hosts: rules.hosts,
        // Where ports are to look as they are, only the resolver that the box was given is one.
        resolvers: holdsHandshakes ? Object.values(routerAddress) : null,
        caps: { connections: limits.connections, keptBytes: limits.keptBytes, idleMs: limits.idleMs },
      };
      router = await RouterProcess.start(
        (argv) => namespaces.inRouter(argv),
        { type: 'start-gate', config },
        { onEvents: (events) => desk.put(events), onStream: (stream, socket) => desk.take(stream, socket) },
      );
      const holder = holdsHandshakes ? await startHolder(namespaces, router, desk) : null;
      return new EgressGate(namespaces, { router, holder }, desk, rules);
    } catch (error) {
      // It may have something to complain about as well; the network goes all the same.
      await router?.stop().catch(() => undefined);
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

  /** Of the process that holds handshakes; undefined when none are held. */
  get holderPid(): number | undefined {
    return this.#holder?.pid;
  }

  /** How often a handshake was dropped because the kernel's queue of them was not read fast enough. */
  get lostHandshakes(): number {
    return this.#holder?.lost ?? 0;
  }

  /** Cuts what is still open, ends the router after it has handed over everything, and removes both namespaces. */
  close(): Promise<WireCompleteness> {
    this.#end ??= this.#finish();
    return this.#end;
  }

  async #finish(): Promise<WireCompleteness> {
    try {
      await this.#desk.close();
      await this.#holder?.stop();
      const end = await this.#router.stop();
      // Connections that were on their way when the desk closed.
      await this.#desk.close();
      await this.#desk.log.flush();
      const diedAtMs = end.diedAtMs ?? this.#holder?.diedAtMs ?? null;
      return judgeEnd({ ...end, diedAtMs, received: this.#desk.log.count });
    } finally {
      // Also when the record could not be written to its end.
      await this.#holder?.stop();
      await this.namespaces.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
