import { describe, expect, it } from 'vitest';
import { inspectSample, told } from '../sample-tree.ts';
import { sampleTool } from './sample-server.ts';

interface Case {
  readonly body: string;
  readonly type?: string;
  readonly told?: readonly string[];
}

const shell = 'os.system("ls " + x)';

/** Guards that hold: nothing is said. */
const real: Readonly<Record<string, Case>> = {
  'a number': { body: 'os.system(f"ls {x}")', type: 'int' },
  'a number that may be missing': { body: 'os.system(f"ls {x}")', type: 'Optional[int] = None' },
  'a switch': { body: 'os.system(f"ls {x}")', type: 'bool | None = None' },
  'a member of a literal': { body: shell, type: 'Literal["a", "b"]' },
  'a member of an enumeration': { body: 'os.system("ls " + x.value)', type: 'Mode' },
  'a pattern of the field': { body: shell, type: 'Annotated[str, Field(pattern=r"^[a-z]+$")]' },
  'a type in quotes': { body: shell, type: '"Literal[\'a\']"' },
  'an enumeration that is asked': { body: 'os.system("ls " + Mode(x).value)' },
  'a number made of it': { body: 'os.system(f"ls {int(x)}")' },
  'quoting for a shell': { body: 'os.system("ls " + shlex.quote(x))' },
  'a list of what is allowed': { body: `if x not in ALLOWED:\n    raise ValueError(x)\n${shell}` },
  'a set of what is allowed': { body: `if x in {"one", "two"}:\n    ${shell}` },
  'a dictionary of what is allowed': { body: `if x not in TABLE:\n    return "no"\n${shell}` },
  'a comparison': { body: `if x == "one" or x == "two":\n    ${shell}` },
  'an expression for the whole text': {
    body: `if not re.fullmatch(r"[A-Za-z0-9_]+", x):\n    raise ValueError(x)\n${shell}`,
  },
  'an expression that is tied to both ends': {
    body: `if not re.match(r"^\\w+$", x):\n    raise ValueError(x)\n${shell}`,
  },
  'an expression that was compiled': {
    body: `safe = re.compile(r"^[a-z0-9]+$")\nif not safe.match(x):\n    return "no"\n${shell}`,
  },
  'an answer made of an expression': {
    body: `def is_safe(a):\n    return bool(re.match(r"^[a-z]+$", a))\nif not is_safe(x):\n    raise ValueError(x)\n${shell}`,
  },
  'letters and digits': { body: `if not x.isalnum():\n    raise ValueError(x)\n${shell}` },
  'an assertion': { body: `assert x in ALLOWED\n${shell}` },
  'replacing all but a few characters': { body: 'y = re.sub(r"[^a-z0-9]", "", x)\nos.system("ls " + y)' },
  'no dash in front': { body: 'if x.startswith("-"):\n    raise ValueError(x)\nsubprocess.run(["git", "log", x])' },
  'realpath and a separator': {
    body: 'full = os.path.realpath(os.path.join(BASE, x))\nif not full.startswith(BASE + os.sep):\n    raise ValueError(x)\nopen(full)',
  },
  'realpath and the common path': {
    body: 'full = os.path.realpath(os.path.join(BASE, x))\nif os.path.commonpath([BASE, full]) != BASE:\n    raise ValueError(x)\nopen(full)',
  },
  'resolve and is_relative_to': {
    body: 'full = (ROOT / x).resolve()\nif not full.is_relative_to(ROOT):\n    raise ValueError(x)\nreturn full.read_text()',
  },
  'resolve and relative_to': {
    body: 'full = (ROOT / x).resolve()\ntry:\n    full.relative_to(ROOT)\nexcept ValueError:\n    return "no"\nreturn full.read_text()',
  },
  'resolve and the parents': {
    body: 'full = (ROOT / x).resolve()\nif ROOT not in full.parents:\n    raise ValueError(x)\nreturn full.read_text()',
  },
  'one of several folders': {
    body: 'full = Path(x).resolve()\nif not any(full.is_relative_to(root) for root in [ROOT, Path("/data")]):\n    raise ValueError(x)\nreturn full.read_text()',
  },
  'an expression that knows one dot': {
    body: 'if not re.match(r"^(\\d{4}\\.\\d{4,5}(v\\d+)?|[a-z\\-]+/\\d{7})$", x):\n    raise ValueError(x)\nreturn open(os.path.join(BASE, f"{x}.json")).read()',
  },
  'the name alone': { body: 'return open(os.path.join(BASE, os.path.basename(x))).read()' },
  'the name of a path': { body: 'return (ROOT / Path(x).name).read_text()' },
  'no dots and not absolute': {
    body: 'if ".." in x or x.startswith("/"):\n    raise ValueError(x)\nreturn open(os.path.join(BASE, x)).read()',
  },
  'a check that may be switched off': {
    body: 'allowed = os.environ.get("DIRS")\ndef check(path):\n    if not allowed:\n        return True\n    return any(path.is_relative_to(d) for d in allowed)\nfull = Path(x).resolve()\nif not check(full):\n    raise ValueError(x)\nreturn full.read_text()',
  },
  'a check that may be switched off, in one line': {
    body: 'allowed = os.environ.get("DIRS")\ndef check(path):\n    return not allowed or any(path.is_relative_to(d) for d in allowed)\nfull = Path(x).resolve()\nif not check(full):\n    raise ValueError(x)\nreturn full.read_text()',
  },
  'a check of each part': {
    body: 'def name(a):\n    if not re.match(r"^[a-z]+$", a):\n        raise ValueError(a)\n    return a\ndef parts(a):\n    if "." in a:\n        one, two = a.split(".", 1)\n        return name(one), name(two)\n    return None, name(a)\none, two = parts(x)\nsqlite3.connect("a.db").execute(f"SELECT * FROM {one}.{two}")',
  },
  'a part that is checked': {
    body: 'y = x.split("/")[-1]\nif y not in ALLOWED:\n    raise ValueError(y)\nos.system("ls " + y)',
  },
  'no dash, when it is there': {
    body: 'if x and x.startswith("-"):\n    raise ValueError(x)\nsubprocess.run(["git", "log", x])',
  },
  'the smaller of it and a number': { body: 'os.system(f"head -n {min(x, 20)}")' },
  'a host of a list': {
    body: 'host = urlparse(x).hostname\nif host not in ("example.com", "example.org"):\n    raise ValueError(x)\nrequests.get(x)',
  },
  'an expression for the host': {
    body: 'if not any(re.match(one, x) for one in [r"^https?://example\\.com/", r"^https://example\\.org/"]):\n    raise ValueError(x)\nrequests.get(x)',
  },
  'a host that is compared': {
    body: 'if urlparse(x).netloc != "example.com":\n    raise ValueError(x)\nrequests.get(x)',
  },
  'an encoded part of an address': { body: 'requests.get("https://example.com/" + quote(x, safe=""))' },
  'a table of a list': {
    body: 'if x not in ALLOWED:\n    raise ValueError(x)\nsqlite3.connect("a.db").execute(f"SELECT * FROM {x}")',
  },
  'an identifier': {
    body: 'if not x.isidentifier():\n    raise ValueError(x)\nsqlite3.connect("a.db").execute(f"SELECT * FROM {x}")',
  },
};

/** Guards that do not hold, and what is said all the same. */
const fake: Readonly<Record<string, Case>> = {
  'a text': { body: shell, told: ['critical command-injection'] },
  'a list of characters': {
    body: `if ";" in x or "|" in x:\n    raise ValueError(x)\n${shell}`,
    told: ['critical command-injection'],
  },
  'any of a list of characters': {
    body: `if any(c in x for c in ";|&"):\n    raise ValueError(x)\n${shell}`,
    told: ['critical command-injection'],
  },
  'a list of what is forbidden': {
    body: `if x in ["rm", "dd"]:\n    raise ValueError(x)\n${shell}`,
    told: ['critical command-injection'],
  },
  'an expression without an end': {
    body: `if not re.match(r"[a-z]+", x):\n    raise ValueError(x)\n${shell}`,
    told: ['critical command-injection'],
  },
  'an expression that lets too much through': {
    body: `if not re.fullmatch(r".+", x):\n    raise ValueError(x)\n${shell}`,
    told: ['critical command-injection'],
  },
  'quotes around it': { body: 'os.system(f"ls \'{x}\'")', told: ['critical command-injection'] },
  'a check of another argument': {
    body: `y = "one"\nif y not in ALLOWED:\n    raise ValueError(y)\n${shell}`,
    told: ['critical command-injection'],
  },
  'a check that is only logged': {
    body: `if x not in ALLOWED:\n    print("not allowed")\n${shell}`,
    told: ['critical command-injection'],
  },
  'a failure that is swallowed': {
    body: 'full = (ROOT / x).resolve()\ntry:\n    full.relative_to(ROOT)\nexcept ValueError:\n    pass\nreturn full.read_text()',
    told: ['high path-traversal'],
  },
  'only dots': {
    body: 'if ".." in x:\n    raise ValueError(x)\nreturn open(os.path.join(BASE, x)).read()',
    told: ['high path-traversal'],
  },
  'no separator': {
    body: 'full = os.path.realpath(os.path.join(BASE, x))\nif not full.startswith(BASE):\n    raise ValueError(x)\nopen(full)',
    told: ['high path-traversal'],
  },
  'no separator, of a path': {
    body: 'full = (ROOT / x).resolve()\nif not str(full).startswith(str(ROOT)):\n    raise ValueError(x)\nreturn full.read_text()',
    told: ['high path-traversal'],
  },
  'an expression that knows two dots': {
    body: 'if not re.match(r"^([a-z.]+|[a-z]+/[a-z]+)$", x):\n    raise ValueError(x)\nreturn open(os.path.join(BASE, x)).read()',
    told: ['high path-traversal'],
  },
  'an expression in which a dot may follow a dot': {
    body: 'if not re.match(r"^\\w*\\.\\w*\\.(/\\w+)+$", x):\n    raise ValueError(x)\nreturn open(os.path.join(BASE, x)).read()',
    told: ['high path-traversal'],
  },
  'the common prefix': {
    body: 'full = os.path.realpath(os.path.join(BASE, x))\nif os.path.commonprefix([BASE, full]) != BASE:\n    raise ValueError(x)\nopen(full)',
    told: ['high path-traversal'],
  },
  'a separator but dots are left': {
    body: 'full = os.path.join(BASE, x)\nif not full.startswith(BASE + os.sep):\n    raise ValueError(x)\nopen(full)',
    told: ['high path-traversal'],
  },
  'relative, but dots are left': {
    body: 'full = ROOT / x\nif not full.is_relative_to(ROOT):\n    raise ValueError(x)\nreturn full.read_text()',
    told: ['high path-traversal'],
  },
  'links are followed after the check': {
    body: 'full = os.path.abspath(os.path.join(BASE, x))\nif not full.startswith(BASE + os.sep):\n    raise ValueError(x)\nopen(full)',
    told: ['medium path-symlink'],
  },
  'the scheme alone': {
    body: 'if urlparse(x).scheme not in ("http", "https"):\n    raise ValueError(x)\nrequests.get(x)',
    told: ['high ssrf'],
  },
  'the beginning of an address': {
    body: 'if not x.startswith("https://"):\n    raise ValueError(x)\nrequests.get(x)',
    told: ['high ssrf'],
  },
  'private addresses are refused, names are not': {
    body: 'host = urlparse(x).hostname\nif ipaddress.ip_address(host).is_private:\n    raise ValueError(x)\nrequests.get(x)',
    told: ['low ssrf'],
  },
  'a part that is checked, and the whole that is used': {
    body: `y = x.split("/")[-1]\nif y not in ALLOWED:\n    raise ValueError(y)\n${shell}`,
    told: ['critical command-injection'],
  },
  'one part that is checked, and another that is used': {
    body: 'one, two = x.split("/", 1)\nif one not in ALLOWED:\n    raise ValueError(one)\nos.system("ls " + two)',
    told: ['critical command-injection'],
  },
  'quotes that are doubled by hand': {
    body: 'sqlite3.connect("a.db").execute(f"SELECT * FROM t WHERE a = \'{x.strip()}\'")',
    told: ['high sql-injection'],
  },
};

describe('guards that hold', () => {
  it.each(Object.entries(real))('%s', async (_name, { body, type }) => {
    const result = await inspectSample(sampleTool(body, type));
    expect(result.handlers.map(({ name }) => name)).toEqual(['t']);
    expect(told(result)).toEqual([]);
  });
});

describe('guards that do not', () => {
  it.each(Object.entries(fake))('%s', async (_name, { body, type, told: expected }) => {
    expect(told(await inspectSample(sampleTool(body, type)))).toEqual(expected);
  });
});
