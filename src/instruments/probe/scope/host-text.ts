import { isIPv4, isIPv6 } from 'node:net';
import { domainToUnicode } from 'node:url';
import { canonicalAddress } from '../../../engine/net/addresses.ts';
import { rangeOfCidr } from './address-range.ts';
import { carriedAddress } from './special.ts';

/**
 * Hosts have one spelling here. Programs disagree about the others (`0177.0.0.1`, `127.1`, full-width digits, a dot at
 * the end), and what one reads as a name of the scope another reads as an address outside of it.
 */

export interface HostFault {
  readonly reason: string;
  readonly hint: string;
}

export const longestHost = 253;

const oneHost = 'Give one host: a literal address such as 192.0.2.7, or a name of the scope.';
const dotted = 'Write an IPv4 address as four decimal numbers without leading zeros, such as 192.0.2.7.';

/** The first that fits is told. */
const forms: readonly (readonly [form: RegExp, reason: string, hint: string])[] = [
  [/^$/, 'it is empty', oneHost],
  [/[\r\n]/, 'it holds a line break', oneHost],
  [/\0/, 'it holds a NUL character', oneHost],
  [/[\x01-\x1f\x7f]/, 'it holds a control character', oneHost],
  [/^\s|\s$|[ ]/, 'it holds white space', oneHost],
  [/[^\x20-\x7e]/, 'it holds characters beyond ASCII', 'Write an international name in its ASCII form (xn--…).'],
  [/^-/, 'it begins with a dash, and a program would take it for an option', oneHost],
  [/\\/, 'it holds a backslash, which programs read in different ways', oneHost],
  [
    /FUZZ/,
    'it holds FUZZ: what is tried out never stands in a host',
    'FUZZ belongs into the path or the query of a URL.',
  ],
  [/:\/\//, 'it is a URL and not a host', oneHost],
  [/@/, 'it holds a user name (an @)', oneHost],
  [/[[\]]/, 'it stands in brackets', 'Write an IPv6 address without brackets.'],
  [/^[^%]*:[^%]*%/, 'it holds a zone (a % after an IPv6 address)', 'Write the address without its zone.'],
  [/%/, 'it holds percent-encoded characters', oneHost],
  [/^[0-9a-fA-F:.]+\/\d+$/, 'it is a range of addresses', 'One scan goes to one address of the scope.'],
  [/[/?#]/, 'it holds a path or a query', oneHost],
  [/^[\d.]+[-,*][\d.,*-]*$|^[\d.]*\*[\d.]*$/, 'it stands for several addresses', 'One scan goes to one address.'],
  [/[,;]/, 'it is a list', oneHost],
  [/[*]/, 'it holds a wildcard', 'Name every host by itself.'],
  [/^[^:]*:\d*$/, 'it holds a port', 'Ports are given by themselves.'],
  [/\.$/, 'it ends with a dot', 'Leave the dot at the end out.'],
  [/^\./, 'it begins with a dot', 'A host is named in full.'],
  [/\.\./, 'it holds two dots in a row', oneHost],
];

const numericForms: readonly (readonly [form: RegExp, reason: string])[] = [
  [/(^|\.)0x/i, 'it is an IPv4 address in hexadecimal'],
  [/^0\d+$|(^|\.)0\d/, 'it is an IPv4 address with leading zeros, which some programs read as octal'],
  [/^\d+$/, 'it is an IPv4 address as one decimal number'],
  [/^\d+(\.\d+){1,2}$/, 'it is a short form of an IPv4 address'],
  [/^\d+(\.\d+){4,}$/, 'it has more numbers than an IPv4 address'],
  [/^\d+(\.\d+){3}$/, 'a number of the IPv4 address is larger than 255'],
];

function faultOfIpv6(text: string): HostFault | null {
  const range = rangeOfCidr(`${text}/128`);
  if (!isIPv6(text) || range === null) return { reason: 'it is no IPv6 address', hint: oneHost };
  const carried = carriedAddress(range);
  if (carried !== null) {
    return { reason: 'it is an IPv4 address inside of an IPv6 one', hint: `Write it as ${carried}.` };
  }
  const only = canonicalAddress(text);
  return only === text ? null : { reason: 'it is not the one spelling of its address', hint: `Write it as ${only}.` };
}

function faultOfName(text: string): HostFault | null {
  const lastLabel = text.split('.').at(-1) ?? '';
  if (/^(\d+|0x[0-9a-f]*)$/i.test(lastLabel)) {
    const found = numericForms.find(([form]) => form.test(text));
    return {
      reason: found?.[1] ?? 'its last part is a number, and programs would read it as an address',
      hint: dotted,
    };
  }
  if (/[A-Z]/.test(text)) return { reason: 'it holds capital letters', hint: `Write it as ${text.toLowerCase()}.` };
  const labels = text.split('.');
  const isName = labels.every((label) => /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/.test(label));
  if (!isName) return { reason: 'it is no host name', hint: oneHost };
  // What cannot be decoded is left as it is, or comes back empty.
  const isEncoded = (label: string): boolean => !['', label].includes(domainToUnicode(label));
  const isBroken = labels.some((label) => label.startsWith('xn--') && !isEncoded(label));
  return isBroken ? { reason: 'a part of it begins with xn-- and stands for no other text', hint: oneHost } : null;
}

/** What is wrong with a host as it is written; null for a literal address or name in its one spelling. */
export function faultOfHost(text: string): HostFault | null {
  if (text.length > longestHost) return { reason: `it is longer than ${longestHost} characters`, hint: oneHost };
  const found = forms.find(([form]) => form.test(text));
  if (found !== undefined) return { reason: found[1], hint: found[2] };
  if (isIPv4(text)) return null;
  return text.includes(':') ? faultOfIpv6(text) : faultOfName(text);
}
