import type { RuleText } from '../../../../evidence/rule-text.ts';

export const resourceRules = {
  escape: {
    id: 'weakness/resource-escape',
    title: 'Reads what it does not offer',
    severity: 'high',
    axis: 'weakness',
    cwe: ['CWE-22', 'CWE-610'],
    owasp: ['MCP05'],
    what: 'resources/read with an address outside of the listed resources and templates gave the content of a file that was planted elsewhere.',
    why: 'Whoever can make a client read a resource reads any file of the user.',
    remediation: 'Serve only addresses that were listed, and resolve paths before they are compared with the root.',
    fires: 'offers file:///srv/notes/a.txt; resources/read file:///home/user/private/ledger.txt -> the token in it',
    silent: 'offers file:///srv/notes/a.txt; resources/read file:///home/user/private/ledger.txt -> an error',
  },
  neighbour: {
    id: 'weakness/resource-neighbour',
    title: 'Has resources beside those that it lists',
    severity: 'info',
    axis: 'weakness',
    cwe: ['CWE-639'],
    owasp: ['MCP05'],
    what: 'A resource with the next number was read although it is not listed, and one with a number that cannot be was not.',
    why: 'Where resources belong to different people, counting is enough to read those of others.',
    remediation: 'Check for every address whether this client may read it.',
    fires: 'lists note://17; resources/read note://18 -> a note; note://987654321098 -> an error',
    silent: 'lists note://17; resources/read note://18 -> an error',
  },
} as const satisfies Readonly<Record<string, RuleText>>;
