/** Result documents of capa, written by hand in the form that it documents. */

const feature = (type: string, value: unknown, success = true): object => ({
  success,
  node: { type: 'feature', feature: { type, [type]: value } },
  children: [],
  locations: [{ type: 'absolute', value: 4_198_400 }],
  captures: {},
});

const statement = (type: string, children: readonly object[], success = true): object => ({
  success,
  node: { type: 'statement', statement: { type } },
  children,
  locations: [],
  captures: {},
});

interface CapaRuleParts {
  readonly namespace?: string;
  readonly attack?: readonly string[];
  readonly mbc?: readonly string[];
  readonly lib?: boolean;
  readonly tree: object;
}

export function capaRule(
  name: string,
  { namespace = 'host-interaction/file-system', attack = [], mbc = [], lib = false, tree }: CapaRuleParts,
): [string, object] {
  const meta = {
    name,
    namespace,
    authors: ['author@example.com'],
    scopes: { static: 'function', dynamic: 'call' },
    attack: attack.map((id) => ({
      parts: ['Tactic', 'Technique'],
      tactic: 'Tactic',
      technique: 'Technique',
      subtechnique: '',
      id,
    })),
    mbc: mbc.map((id) => ({
      parts: ['Objective', 'Behavior'],
      objective: 'Objective',
      behavior: 'Behavior',
      method: '',
      id,
    })),
    lib,
    is_subscope_rule: false,
  };
  return [name, { meta, source: 'rule: ...', matches: [[{ type: 'absolute', value: 4_198_400 }, tree]] }];
}

export function capaDocument(rules: readonly (readonly [string, object])[]): string {
  return JSON.stringify({ meta: { version: '9.2.1', sample: { path: '/sample' } }, rules: Object.fromEntries(rules) });
}

export const capa = capaDocument([
  capaRule('inject thread', {
    namespace: 'host-interaction/process/inject',
    attack: ['T1055.003'],
    mbc: ['E1055.m03'],
    tree: statement('and', [
      feature('api', 'CreateRemoteThread'),
      statement('or', [feature('string', 'never', false), feature('number', 64)]),
    ]),
  }),
  capaRule('reference a shell', {
    attack: ['T1059.003'],
    tree: statement('or', [feature('string', 'cmd.exe'), feature('api', 'CreateProcess', false)]),
  }),
  capaRule('linked against zlib', {
    namespace: 'linking/static/zlib',
    tree: statement('or', [feature('match', 'other rule')]),
  }),
  capaRule('contain an embedded PE', {
    namespace: 'executable/subfile/pe',
    mbc: ['B0023'],
    tree: feature('characteristic', 'embedded pe'),
  }),
  capaRule('encode by xor', {
    mbc: ['C0026.002'],
    tree: statement('and', [feature('characteristic', 'nzxor'), statement('not', [feature('string', 'absent')])]),
  }),
  capaRule('part of others', { lib: true, tree: feature('api', 'x') }),
]);

/** As large as a real run: hundreds of rules, each with a tree. */
export const largeCapa = capaDocument(
  Array.from({ length: 400 }, (_, at) =>
    capaRule(`rule number ${at}`, {
      attack: [`T${1000 + at}`],
      tree: statement(
        'and',
        Array.from({ length: 8 }, (_unused, child) =>
          feature(child % 2 === 0 ? 'api' : 'string', `value ${at} ${child}`),
        ),
      ),
    }),
  ),
);
