import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import type { IdentityFile } from '../policy/compile/place.ts';
import type { SystemFile } from './contract.ts';

/**
 * Who the target believes to be: an ordinary developer on an ordinary laptop. Programs that behave well only where they
 * feel watched look at exactly these things.
 */

const people = ['alex', 'sam', 'maria', 'jonas', 'priya', 'chen', 'lena', 'david'] as const;
const laptops = ['thinkpad', 'xps13', 'framework', 'latitude', 'zenbook'] as const;
const smallestLaptopCores = 4;

export interface Identity {
  readonly userName: string;
  readonly hostName: string;
  readonly cores: number;
}

export function chooseIdentity(boxId: string): Identity {
  const seed = Number.parseInt(boxId.slice(0, 8), 16);
  const userName = people[seed % people.length] ?? 'alex';
  const laptop = laptops[(seed >> 4) % laptops.length] ?? 'thinkpad';
  return { userName, hostName: `${userName}-${laptop}`, cores: Math.max(smallestLaptopCores, availableParallelism()) };
}

const processor = {
  x64: (index: number, cores: number) => `processor\t: ${index}
vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 140
model name\t: 11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz
stepping\t: 1
cpu MHz\t\t: 2800.000
cache size\t: 12288 KB
physical id\t: 0
siblings\t: ${cores}
core id\t\t: ${index}
cpu cores\t: ${cores}
flags\t\t: fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 ss ht syscall nx pdpe1gb rdtscp lm constant_tsc rep_good nopl xtopology cpuid pni pclmulqdq ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt aes xsave avx f16c rdrand lahf_lm abm avx2 bmi1 bmi2
bogomips\t: 5606.40
address sizes\t: 39 bits physical, 48 bits virtual
`,
  arm64: (index: number) => `processor\t: ${index}
BogoMIPS\t: 48.00
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop
CPU implementer\t: 0x61
CPU architecture: 8
CPU variant\t: 0x1
CPU part\t: 0x022
CPU revision\t: 1
`,
} as const;

/** Programs count cores by these lines. */
function describeLoad(cores: number): string {
  const line = (name: string, share: number): string =>
    `${name} ${[4821, 37, 2210, 913_377, 402, 0, 96, 0, 0, 0].map((ticks) => ticks * share).join(' ')}\n`;
  const each = Array.from({ length: cores }, (_, index) => line(`cpu${index}`, 1)).join('');
  return `${line('cpu ', cores)}${each}intr 0\nctxt 9183746\nbtime 1700000000\nprocesses 48211\nprocs_running 1\nprocs_blocked 0\n`;
}

export type CoverableFolder = 'proc' | 'sys';

export interface IdentityOptions {
  /** Where the files are written; in place below a root where `root` is given and the file can lie there. */
  readonly folder: string;
  readonly root?: string;
  readonly boxId: string;
  readonly home: string;
  readonly uid: number;
  readonly gid: number;
  readonly architecture: 'x64' | 'arm64';
  /** Kernel folders on which files may be mounted: gVisor makes its own /proc and lets nothing be put on it. */
  readonly coverable: readonly CoverableFolder[];
  /** Further ones, or others in the place of ours. */
  readonly systemFiles: readonly SystemFile[];
}

/** Writes the files that describe the machine and its user, and says where in the box each belongs. */
export function writeIdentity(identity: Identity, options: IdentityOptions): readonly IdentityFile[] {
  const { userName, hostName, cores } = identity;
  const { folder, uid, gid, home, architecture } = options;
  const texts: Record<string, string> = {
    '/etc/passwd': `root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n${userName}:x:${uid}:${gid}:${userName}:${home}:/bin/bash\n`,
    '/etc/group': `root:x:0:\ndaemon:x:1:\nadm:x:4:${userName}\nsudo:x:27:${userName}\nnogroup:x:65534:\n${userName}:x:${gid}:\n`,
    '/etc/hostname': `${hostName}\n`,
    '/etc/hosts': `127.0.0.1\tlocalhost\n127.0.1.1\t${hostName}\n::1\tlocalhost ip6-localhost ip6-loopback\n`,
    '/etc/resolv.conf': 'nameserver 192.168.1.1\nsearch home\n',
    '/etc/machine-id': `${options.boxId.repeat(3).slice(0, 32)}\n`,
  };
  if (options.coverable.includes('sys')) {
    for (const name of ['online', 'possible', 'present']) texts[`/sys/devices/system/cpu/${name}`] = `0-${cores - 1}\n`;
  }
  if (options.coverable.includes('proc')) {
    texts['/proc/cpuinfo'] = Array.from({ length: cores }, (_, index) => processor[architecture](index, cores)).join(
      '\n',
    );
    texts['/proc/stat'] = describeLoad(cores);
  }
  for (const { path, content } of options.systemFiles) texts[path] = content;
  const { root } = options;
  return Object.entries(texts).map(([target, text]) => {
    const isInPlace = root !== undefined && !target.startsWith('/proc/');
    const source = isInPlace ? `${root}${target}` : join(folder, target.slice(1).replaceAll('/', '-'));
    mkdirSync(dirname(source), { recursive: true, mode: 0o755 });
    writeFileSync(source, text, { mode: 0o644 });
    return { source, target };
  });
}
