/**
 * What is known about tainted text, one bit each. The same bits say what a value went through (`encodeURIComponent`) and
 * what has been checked about an argument on the way to here (`if (!path.startsWith(root + sep)) throw`).
 */
export const bits = {
  /** The value is the argument itself, perhaps trimmed or in lower case, and not a piece of it. */
  exact: 1 << 0,
  /** No character that a shell acts on. */
  shell: 1 << 1,
  /** Cannot begin with a dash. */
  dash: 1 << 2,
  /** One component of a path: no separator. */
  component: 1 << 3,
  noDots: 1 << 4,
  notAbsolute: 1 << 5,
  /** `.` and `..` are gone. */
  normalised: 1 << 6,
  /** Links are resolved. */
  real: 1 << 7,
  /** `path.relative` of a base. */
  relative: 1 << 8,
  /** Checked to lie below a base, separator included. */
  prefix: 1 << 9,
  /** Checked against a base without a separator: the neighbour `/base-other` passes. */
  prefixWeak: 1 << 10,
  /** The check was made on the resolved path. */
  prefixReal: 1 << 11,
  /** The base belongs to the package itself, so that nothing of the user lies beside it. */
  fixedBase: 1 << 12,
  /** Put below a base by joining. */
  anchored: 1 << 13,
  /** The value is the host of a URL. */
  host: 1 << 14,
  /** The brackets of an IPv6 host are gone. */
  unbracketed: 1 << 15,
  /** Cannot be an IPv4 literal of the machine or its network. */
  not4: 1 << 16,
  not6: 1 << 17,
  hostAllowed: 1 << 18,
  sql: 1 << 19,
  code: 1 << 20,
  regex: 1 << 21,
  template: 1 << 22,
  /** Somebody looked at it, whatever that was worth: the author meant to contain it. */
  looked: 1 << 23,
  /** A request was made to it, which fails for what is no absolute address. */
  address: 1 << 24,
  /** It stands where the host of a URL is written, though something comes before it. */
  authority: 1 << 25,
  /** Put below a base by a join in which an absolute path wins. */
  joined: 1 << 26,
} as const;

export const noBits = 0;
export const allBits = ((1 << 27) - 1) & ~bits.authority;

/** Nothing a sink could act on is left: a number, a member of a fixed set. */
export const harmless =
  bits.shell |
  bits.dash |
  bits.component |
  bits.noDots |
  bits.notAbsolute |
  bits.hostAllowed |
  bits.sql |
  bits.code |
  bits.regex |
  bits.template;

/** What holds if it holds for either: links are resolved unless there is no file, and a host chosen once is chosen. */
const either = bits.real | bits.authority;

export function joinBits(left: number, right: number): number {
  return (left & right) | ((left | right) & either);
}
