import { UsageError } from '../../../base/errors.ts';
import type { Facts } from '../contract.ts';
import type { KindId } from '../kinds.ts';
import { type ProgramFacts, readProgramFacts } from './program-facts.ts';
import { type Behaviour, readBehaviours } from './rules.ts';

export const capabilities = [
  'capable_statically',
  'possibly_via_dynamic_resolution',
  'incapable_statically',
  'analysis_incomplete',
  'not_applicable',
] as const;
export type StaticCapability = (typeof capabilities)[number];

export interface BehaviourResult {
  readonly behavior: string;
  readonly description: string;
  readonly required_apis: readonly string[];
  readonly minimum_apis: number;
  readonly apis_present: readonly string[];
  readonly apis_missing: readonly string[];
  readonly dynamic_resolution_present: boolean;
  readonly static_capability: StaticCapability;
  readonly rationale: string;
  readonly recommended_followup: string;
  readonly benign: string;
  readonly attack: readonly string[];
}

export interface BehaviourReport {
  readonly is_pe: boolean;
  readonly managed: boolean;
  readonly packer_detected: string | null;
  readonly import_count: number;
  readonly dynamic_resolution_present: boolean;
  readonly basis: string;
  readonly results: readonly BehaviourResult[];
}

/** `CreateFile` is there as itself, for either width of characters, and under both names of the native interface. */
function spellings(api: string): readonly string[] {
  const native = api.startsWith('Nt') ? [`Zw${api.slice(2)}`] : [];
  return [api, `${api}A`, `${api}W`, ...native];
}

function resolvesAtRunTime({ system, imported }: ProgramFacts): boolean {
  const has = (form: RegExp): boolean => imported.some((name) => form.test(name));
  return system === 'linux'
    ? has(/^(?:dlsym|dlvsym)$/) || has(/^syscall$/)
    : has(/^(?:GetProcAddress|LdrGetProcedureAddress)$/) &&
        has(/^(?:LoadLibrary(?:Ex)?[AW]?|LdrLoadDll|GetModuleHandle(?:Ex)?[AW]?)$/);
}

const names = (list: readonly string[]): string => list.join(', ');

function decide(
  behaviour: Behaviour,
  present: readonly string[],
  program: ProgramFacts,
  isResolving: boolean,
): readonly [StaticCapability, string] {
  const found = `${present.length} of ${behaviour.apis.length} functions are imported, ${behaviour.minimum} are needed`;
  if (present.length >= behaviour.minimum) {
    return [
      'capable_statically',
      `${found}: ${names(present)}. That they are imported does not show that they are called for this.`,
    ];
  }
  if (program.isManaged) {
    return [
      'analysis_incomplete',
      `${found}. Managed code reaches the system through its runtime, so imports say little.`,
    ];
  }
  if (program.packer !== null) {
    return ['analysis_incomplete', `${found}. The program is packed: these are the imports of its loader.`];
  }
  if (program.unread !== null) return ['analysis_incomplete', `${found}, and ${program.unread}.`];
  if (isResolving) {
    return [
      'possibly_via_dynamic_resolution',
      `${found}, but the program can look functions up by name while it runs.`,
    ];
  }
  return ['incapable_statically', `${found}, and nothing is imported that looks functions up by name.`];
}

const followUps: Readonly<Record<StaticCapability, (behaviour: Behaviour) => string>> = {
  capable_statically: ({ followUp }) => followUp,
  possibly_via_dynamic_resolution: ({ apis }) =>
    `Look for the names as strings (verify_string_usage for ${apis[0]}), or for hashes of them; then watch it in a box.`,
  incapable_statically: () =>
    'Do not report this behaviour from static evidence. Code that it loads later would need its own analysis.',
  analysis_incomplete: () => 'Unpack, decompile or run it in a box first; absence means nothing here.',
  not_applicable: () => 'Use the analysers for this kind of file.',
};

function judge(behaviour: Behaviour, program: ProgramFacts, isResolving: boolean): BehaviourResult {
  const imported = new Set(program.imported);
  const present = behaviour.apis.filter((api) => spellings(api).some((name) => imported.has(name)));
  const [capability, rationale] = decide(behaviour, present, program, isResolving);
  return {
    behavior: behaviour.id,
    description: behaviour.description,
    required_apis: behaviour.apis,
    minimum_apis: behaviour.minimum,
    apis_present: present,
    apis_missing: behaviour.apis.filter((api) => !present.includes(api)),
    dynamic_resolution_present: isResolving,
    static_capability: capability,
    rationale,
    recommended_followup: followUps[capability](behaviour),
    benign: behaviour.benign,
    attack: behaviour.attack,
  };
}

/** Whether a program imports what a behaviour needs. A question about imports, never a claim that something happens. */
export function checkBehaviours(kind: KindId, facts: readonly Facts[], behaviour?: string): BehaviourReport {
  const rules = readBehaviours();
  const known = [...rules.windows, ...rules.linux];
  if (behaviour !== undefined && !known.some(({ id }) => id === behaviour)) {
    throw new UsageError('there is no behaviour of that name', { hint: `one of: ${names(known.map(({ id }) => id))}` });
  }
  const program = readProgramFacts(kind, facts, rules.packers);
  const isResolving = resolvesAtRunTime(program);
  const own = program.system === null ? rules.windows : rules[program.system];
  const asked = behaviour === undefined ? own : known.filter(({ id }) => id === behaviour);
  const results = asked.map((one) => {
    const result = judge(one, program, isResolving);
    if (own.includes(one) && program.system !== null) return result;
    const rationale = 'The file is no program of the system that these functions belong to.';
    return {
      ...result,
      apis_present: [],
      apis_missing: one.apis,
      static_capability: 'not_applicable' as const,
      rationale,
      recommended_followup: followUps.not_applicable(one),
    };
  });
  return {
    is_pe: program.system === 'windows',
    managed: program.isManaged,
    packer_detected: program.packer,
    import_count: program.importCount,
    dynamic_resolution_present: isResolving,
    basis: 'Imported functions and declared platform calls, read without running anything.',
    results,
  };
}
