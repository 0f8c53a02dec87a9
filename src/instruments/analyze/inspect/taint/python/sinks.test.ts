import { describe, expect, it } from 'vitest';
import { inspectSample, told } from '../sample-tree.ts';
import { sampleTool } from './sample-server.ts';

/** What the body of a tool does with its argument `x`, and what is said about it. */
const cases: readonly (readonly [body: string, expected: readonly string[]])[] = [
  ['os.popen(f"ls {x}")', ['critical command-injection']],
  ['subprocess.run(f"ls {x}", shell=True)', ['critical command-injection']],
  ['subprocess.check_output("ls " + x, shell=True, text=True)', ['critical command-injection']],
  ['subprocess.Popen(args=f"ls {x}", shell=True)', ['critical command-injection']],
  ['subprocess.run(["sh", "-c", f"ls {x}"])', ['critical command-injection']],
  ['subprocess.run([x, "--version"])', ['critical command-injection']],
  ['subprocess.run(shlex.split(f"ls {x}"))', ['critical command-injection']],
  ['await asyncio.create_subprocess_shell(f"ls {x}")', ['critical command-injection']],
  ['subprocess.run(["ls", x])', []],
  ['subprocess.run(["git", "log", x])', ['medium argument-injection']],
  ['command = ["git", "clone"]\ncommand.append(x)\nsubprocess.run(command)', ['medium argument-injection']],
  ['command = ["git", "clone"] + [x]\nsubprocess.run(command)', ['medium argument-injection']],
  ['subprocess.run(["git", "clone", "--", x])', []],
  ['subprocess.run(["git", "clone", f"https://example.com/{x}"])', []],
  ['await asyncio.create_subprocess_exec("git", "clone", x)', ['medium argument-injection']],
  ['os.execv("/usr/bin/git", ["git", "clone", x])', ['medium argument-injection']],
  ['git.Repo("/srv/repo").git.checkout(x)', ['medium argument-injection']],
  ['git.Repo("/srv/repo").git.checkout("--", x)', []],
  ['open(x).read()', ['medium path-traversal']],
  ['open(os.path.join(BASE, x)).read()', ['high path-traversal']],
  ['open(f"{BASE}/{x}").read()', ['high path-traversal']],
  ['(ROOT / x).write_text("")', ['high path-traversal']],
  ['with Path(x).open() as file:\n    return file.read()', ['medium path-traversal']],
  ['async with aiofiles.open(x) as file:\n    return await file.read()', ['medium path-traversal']],
  ['shutil.rmtree(os.path.join(BASE, x))', ['high path-traversal']],
  ['os.rename(BASE, x)', ['medium path-traversal']],
  ['return os.listdir(path=x)', ['medium path-traversal']],
  ['requests.get(x)', ['high ssrf']],
  ['requests.request("GET", url=x)', ['high ssrf']],
  ['async with httpx.AsyncClient() as client:\n    return await client.get(x)', ['high ssrf']],
  [
    'async with aiohttp.ClientSession() as session:\n    async with session.get(x) as answer:\n        return await answer.text()',
    ['high ssrf'],
  ],
  ['urllib.request.urlopen(x)', ['high ssrf']],
  ['requests.get(f"https://example.com/{x}")', []],
  ['requests.get(f"https://{x}/status")', ['high ssrf']],
  ['sqlite3.connect("a.db").execute(f"SELECT * FROM t WHERE a = \'{x}\'")', ['high sql-injection']],
  [
    'connection = sqlite3.connect("a.db")\ncursor = connection.cursor()\ncursor.execute("SELECT * FROM t WHERE a = %s" % x)',
    ['high sql-injection'],
  ],
  ['pool.session().execute(text("SELECT * FROM t WHERE a = {}".format(x)))', ['high sql-injection']],
  [
    'query = "SELECT * FROM t"\nquery += " WHERE a = " + x\nsqlite3.connect("a.db").execute(query)',
    ['high sql-injection'],
  ],
  ['sqlite3.connect("a.db").execute(x)', ['medium sql-statement']],
  ['sqlite3.connect("a.db").execute("SELECT * FROM t WHERE a = ?", (x,))', []],
  ['eval(x)', ['critical code-injection']],
  ['exec(f"a = {x}")', ['critical code-injection']],
  ['importlib.import_module(x)', ['high module-injection']],
  ['__import__("plugins." + x)', ['high module-injection']],
  ['pickle.loads(x.encode())', ['high deserialisation']],
  ['yaml.load(x)', ['high deserialisation']],
  ['yaml.load(x, Loader=yaml.SafeLoader)', []],
  ['yaml.safe_load(x)', []],
  ['jinja2.Template(x).render()', ['high template-injection']],
  ['jinja2.Environment().from_string(x)', ['high template-injection']],
  ['jinja2.Template("{{ a }}").render(a=x)', []],
  ['re.compile(x)', ['low regex-injection']],
  ['re.compile(re.escape(x))', []],
  ['json.loads(x)', []],
];

describe('what acts on an argument', () => {
  it.each(cases)('%s', async (body, expected) => {
    expect(told(await inspectSample(sampleTool(body)))).toEqual(expected);
  });
});
