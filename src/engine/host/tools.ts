/** Programs of the host that parts of Hotcell call. None is needed to install Hotcell; each unlocks something. */

export interface HostTool {
  /** Name of the program. */
  readonly id: string;
  /** Debian package that brings it. */
  readonly package: string;
  readonly usedFor: string;
  /** Whether `doctor --fix` installs it. The large ones are left to those who use that part. */
  readonly isFixed: boolean;
}

export const hostTools: readonly HostTool[] = [
  { id: 'runsc', package: 'runsc', usedFor: 'the gvisor backend', isFixed: true },
  { id: 'runc', package: 'runc', usedFor: 'the runc backend', isFixed: true },
  { id: 'bwrap', package: 'bubblewrap', usedFor: 'the bwrap backend', isFixed: true },
  { id: 'dockerd', package: 'docker.io', usedFor: 'the docker backend', isFixed: true },
  { id: 'perl', package: 'perl-base', usedFor: 'the self-check inside every box', isFixed: true },
  { id: 'nft', package: 'nftables', usedFor: 'network rules of a box', isFixed: true },
  { id: 'ip', package: 'iproute2', usedFor: 'network namespaces of boxes', isFixed: true },
  { id: 'strace', package: 'strace', usedFor: 'telemetry where nothing better works', isFixed: true },
  { id: 'datefudge', package: 'datefudge', usedFor: 'moving the clock of a target', isFixed: true },
  { id: 'ps', package: 'procps', usedFor: 'looking at what a killed run left behind', isFixed: true },
  { id: 'unshare', package: 'util-linux', usedFor: 'probing namespaces', isFixed: true },
  { id: 'git', package: 'git', usedFor: 'targets that are git repositories', isFixed: false },
  { id: 'npm', package: 'npm', usedFor: 'targets from npm', isFixed: false },
  { id: 'python3', package: 'python3', usedFor: 'targets written in Python', isFixed: false },
  { id: 'psql', package: 'postgresql', usedFor: 'a database in the box for servers that want one', isFixed: false },
  { id: 'redis-server', package: 'redis-server', usedFor: 'the same for servers of Redis', isFixed: false },
  { id: 'tcpdump', package: 'tcpdump', usedFor: 'packet captures of a box', isFixed: true },
  { id: 'tshark', package: 'tshark', usedFor: 'reading packet captures', isFixed: false },
  { id: 'bpftrace', package: 'bpftrace', usedFor: 'a second witness in the kernel', isFixed: false },
  { id: 'nmap', package: 'nmap', usedFor: 'nmap_scan: port scans of API targets', isFixed: false },
  { id: 'ffuf', package: 'ffuf', usedFor: 'ffuf_discover: hidden endpoints of API targets', isFixed: false },
  { id: 'arjun', package: 'arjun', usedFor: 'arjun_params: hidden parameters of API targets', isFixed: false },
  { id: 'iptables', package: 'iptables', usedFor: 'port scans where the kernel has no nft_queue', isFixed: true },
  { id: 'chromium', package: 'chromium', usedFor: 'pages and dashboards in a real browser', isFixed: false },
];
