import { limits } from './limits.ts';
import { claim, type Scan } from './scan.ts';

const roots = new Set(
  'etc bin usr tmp var opt home root dev proc sys lib lib64 sbin mnt run srv boot Users Library Applications System private Volumes data sdcard storage system vendor media snap'.split(
    ' ',
  ),
);
const telling =
  /^\/(?:tmp|var\/tmp|dev\/shm)\/|^\/etc\/(?:cron|ld\.so\.preload|passwd|shadow|sudoers|rc\.local|init\.d|systemd|profile|hosts|ssh)|\/\.ssh\/|\/(?:LaunchAgents|LaunchDaemons)\/|crontabs?|\.bash(?:rc|_profile|_history)$|\/\.aws\/|\/\.config\//;
const everywhere =
  /^\/dev\/(?:null|zero|u?random|tty|stdin|stdout|stderr)$|^(?:\/usr)?\/bin\/(?:sh|bash|env|python[\d.]*|perl|dash|zsh|cat|ls|rm|cp|mv|true|false)$|^\/usr\/(?:lib|include|share|src)\/|^\/lib(?:64|32)?\/|^\/proc\/(?:self|%|cpuinfo|meminfo|stat|version|mounts)|^\/sys\/(?:class|devices|kernel)\//;
const body = /[^\s"'`<>|,;:()[\]{}*?\\^&=\0]/;

/** Called at `/` and `~`. */
export function readUnixPath(scan: Scan, at: number): number | undefined {
  const { text } = scan;
  const before = text.charAt(at - 1);
  if (before !== '' && /[\p{L}\p{N}_./~%\\\-$}]/u.test(before)) return undefined;
  const isHome = text.charAt(at) === '~';
  const head = (isHome ? /^~\/[\w.]/ : /^\/([A-Za-z0-9]{2,12})\/[^\s/]/).exec(text.slice(at, at + 16));
  if (head === null || (!isHome && !roots.has(head[1] ?? ''))) return undefined;
  const most = Math.min(text.length, at + limits.pathLength);
  let end = at;
  while (end < most && body.test(text.charAt(end))) end += 1;
  scan.step(end - at);
  if (end - at >= limits.pathLength) {
    scan.overlong += 1;
    return end;
  }
  while (end > at && /[.,!/]/.test(text.charAt(end - 1))) end -= 1;
  const value = text.slice(at, end);
  if (!value.includes('/', 1)) return undefined;
  const type = value.endsWith('.pdb') ? 'pdb_path' : 'unix_path';
  const noise = everywhere.test(value) ? 'part of every such system' : undefined;
  const confidence = noise !== undefined ? 0.1 : telling.test(value) || isHome ? 0.6 : 0.4;
  scan.report({ type, value, from: at, to: end, confidence, noise });
  scan.claim(at, end, claim.path);
  return end;
}
