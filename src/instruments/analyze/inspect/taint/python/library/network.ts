import { bits } from '../../engine/bits.ts';
import { elementOf } from '../../engine/fields.ts';
import type { Model } from '../../engine/program.ts';
import { blend, concatenate, piece, transform } from '../../engine/text.ts';
import { nothing, onlyText, unknown, type Value } from '../../engine/value.ts';
import { keyword, passedOf } from './arguments.ts';
import { asText } from './text.ts';

/** Addresses, and formats that carry data. */

const escaped = bits.shell | bits.sql | bits.hostAllowed | bits.template;

/** `quote` leaves the slash alone unless it is told not to. */
const quote: Model = (machine, args, at) => {
  const safe = args[1] ?? keyword(machine, passedOf(args), 'safe', at);
  const isWhole = safe !== undefined && onlyText(safe) === '';
  return transform(args[0] ?? unknown, { drop: bits.exact, grant: isWhole ? escaped | bits.component : escaped });
};
const quotePlus: Model = (_machine, [value = unknown]) =>
  transform(value, { drop: bits.exact, grant: escaped | bits.component });
const encodeQuery: Model = (machine, [value = unknown], at) =>
  transform(blend([value, elementOf(machine, value, at)]), { grant: escaped | bits.component });

const parsed: Model = (_machine, [address = unknown]) => transform(asText(address), { drop: bits.exact });

const resolved: Model = (_machine, [host = unknown]) => ({
  ...transform(asText(host), { drop: bits.exact, grant: bits.host }),
  objects: [],
});

const joinUrl: Model = (_machine, [base = unknown, address = unknown]) => {
  const isRooted = /^\/[^/]/.test(address.text ?? '');
  return isRooted ? concatenate([{ ...base, isOpen: true }, address]) : blend([base, address]);
};

const stringify: Model = (machine, [value = unknown], at) => {
  const inner = value.objects.flatMap((object) => [
    ...object.fields.values(),
    ...(object.elements ?? []),
    ...(object.rest === undefined ? [] : [object.rest]),
  ]);
  return blend([value, ...inner, ...(value.objects.length > 0 ? [elementOf(machine, value, at)] : [])]);
};

const digest: Model = () => unknown;
const quotedForShell: Model = (machine, [value = unknown], at) =>
  transform(blend([value, elementOf(machine, value, at)]), { grant: bits.shell });
const environment = (): Value => ({ ...unknown, role: 'environment' });

export const networkModels: Readonly<Record<string, Model>> = {
  'urllib.parse.quote': quote,
  'urllib.parse.quote_plus': quotePlus,
  'urllib.parse.urlencode': encodeQuery,
  'urllib.parse.urlparse': parsed,
  'urllib.parse.urlsplit': parsed,
  'urllib.parse.urlunparse': stringify,
  'urllib.parse.urljoin': joinUrl,
  'urllib.parse.unquote': (_machine, [value = unknown]) => transform(value, { drop: ~(bits.exact | bits.looked) }),
  'requests.utils.quote': quote,
  'httpx.URL': parsed,
  'yarl.URL': parsed,
  'ipaddress.ip_address': resolved,
  'ipaddress.IPv4Address': resolved,
  'ipaddress.IPv6Address': resolved,
  'socket.gethostbyname': resolved,
  'socket.getaddrinfo': resolved,
  'json.dumps': stringify,
  'json.loads': (_machine, [value = unknown]) => piece(value),
  'base64.b64decode': (_machine, [value = unknown]) => piece(value),
  'shlex.quote': (_machine, [value = unknown]) => transform(value, { grant: bits.shell }),
  'pipes.quote': (_machine, [value = unknown]) => transform(value, { grant: bits.shell }),
  'shlex.join': quotedForShell,
  'shlex.split': (machine, [value = unknown]) => {
    const text = onlyText(value);
    if (text !== undefined)
      return {
        ...nothing,
        objects: [
          machine.allocate('array', {
            elements: text.split(/\s+/).map((word) => ({ ...nothing, constants: [word], text: word })),
          }),
        ],
      };
    const list = machine.allocate('array');
    list.rest = piece(value);
    return { ...nothing, objects: [list], taints: piece(value).taints };
  },
  'sqlalchemy.text': (_machine, [value = unknown]) => value,
  'sqlalchemy.sql.text': (_machine, [value = unknown]) => value,
  'io.BytesIO': digest,
  'io.StringIO': digest,
  'os.getenv': environment,
  'os.environ.get': environment,
  'uuid.uuid4': digest,
};

/** Modules that leave nothing of what they were given. */
const digesting = new Set([
  'hashlib',
  'hmac',
  'zlib',
  'secrets',
  'random',
  'time',
  'datetime',
  'math',
  'statistics',
  'logging',
  'warnings',
  'traceback',
]);

export function findDigest(module: string): Model | undefined {
  return digesting.has(module) ? digest : undefined;
}
