import type { Gathering } from '../../native/gathering.ts';
import { tidy } from '../../native/wording.ts';
import type { ManagedNames } from './describe.ts';
import type { Metadata } from './metadata.ts';

/** Names that tools against reading leave behind: attributes, types or streams. */
const traces: readonly (readonly [string, RegExp])[] = [
  ['ConfuserEx', /^(?:ConfusedByAttribute|Confuser(?:Ex)?\b.*)$/],
  ['Dotfuscator', /^(?:Dotfuscator|DotfuscatorAttribute|PreEmptive\..*)$/],
  ['SmartAssembly', /^(?:SmartAssembly\..*|PoweredByAttribute)$/],
  ['Babel', /^(?:BabelAttribute|BabelObfuscatorAttribute)$/],
  ['Eazfuscator', /^EazfuscatorAttribute$/i],
  ['Crypto Obfuscator', /^CryptoObfuscator\..*$/],
  [
    '.NET Reactor',
    /^(?:\.NET Reactor|NETReactor.*|<PrivateImplementationDetails>\{[0-9A-F-]{36}\}\.__StaticArrayInit)$/,
  ],
  ['Agile.NET', /^(?:CliSecureRt|CliSecure.*|AgileDotNetRT.*)$/],
  ['Obfuscar', /^Obfuscar.*$/],
  ['Xenocode', /^Xenocode\..*$/],
  ['Yano', /^YanoAttribute$/],
  ['Goliath', /^ObfuscatedByGoliath$/],
  ['Spices.Net', /^NineRays\..*$/],
];

const expectedStreams = new Set(['#~', '#-', '#Strings', '#US', '#GUID', '#Blob', '#Pdb', '#JTD']);

export function describeObfuscation(data: Metadata, names: ManagedNames, gathering: Gathering): void {
  const evidence: { where: string; text: string }[] = [];
  const tools = new Set<string>();
  for (const name of new Set([...names.types, ...names.references])) {
    const last = name.slice(name.lastIndexOf('.') + 1);
    const hit = traces.find(([, pattern]) => pattern.test(name) || pattern.test(last));
    if (hit === undefined || tools.has(hit[0])) continue;
    tools.add(hit[0]);
    evidence.push({ where: hit[0], text: tidy(name, 200) });
  }
  const all = [...names.types, ...names.methods];
  const odd = all.filter((name) =>
    /[\p{C}\p{Co}\p{Z}]|[^\p{Script=Latin}\p{N}_.<>`$|,=@[\]{}()+\-/\\*&: ]/u.test(name),
  );
  const share = all.length === 0 ? 0 : odd.length / all.length;
  if (all.length >= 10 && share >= 0.3)
    evidence.push({
      where: 'names',
      text: `${odd.length} of ${all.length} names are not readable: ${tidy(odd[0] ?? '', 60)}`,
    });
  const strange = data.streams.filter(({ name }) => !expectedStreams.has(name));
  if (strange.length > 0)
    evidence.push({ where: 'metadata streams', text: strange.map(({ name }) => tidy(name, 32)).join(', ') });
  const doubled = data.streams.length !== new Set(data.streams.map(({ name }) => name)).size;
  if (doubled) evidence.push({ where: 'metadata streams', text: 'a stream is there twice' });
  if (data.rows('Module') > 1 || data.rows('Assembly') > 1)
    evidence.push({ where: 'metadata tables', text: 'more than one module or assembly row' });
  gathering.facts.obfuscators = [...tools];
  gathering.facts.unreadable_name_share = Math.round(share * 1000) / 1000;
  if (evidence.length === 0) return;
  gathering.find({
    rule: 'dotnet.obfuscation',
    title: 'Names or metadata were changed so that the code is hard to read',
    severity: 'low',
    evidenceType: 'structural',
    evidence,
    benign: 'Commercial .NET software is often treated like this to guard its source.',
    attack: ['T1027'],
    mbc: ['E1027'],
  });
}
