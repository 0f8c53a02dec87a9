import type { RuleTable } from '../inquiry/rule.ts';

export const graphqlGroup = 'graphql';

export const graphqlRules = {
  introspection: {
    title: 'The whole schema is given to anybody who asks',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-200'],
    remediation: 'Switch introspection off in production, or allow it only to known callers.',
  },
  suggestions: {
    title: 'Error messages give away names of the schema',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-209'],
    remediation:
      'Remove the suggestions from error messages; with them the schema can be guessed without introspection.',
  },
  'no-depth-limit': {
    title: 'Queries of any depth are accepted',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-770', 'CWE-674'],
    remediation: 'Limit the depth of queries, or their computed cost, before anything is executed.',
  },
  'alias-overloading': {
    title: 'One query may ask for the same field many times under other names',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-770', 'CWE-799'],
    remediation:
      'Limit the number of aliases, or the computed cost, of one query; rate limits have to count fields and not requests.',
  },
  'array-batching': {
    title: 'Many operations are executed in one request',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-770', 'CWE-799', 'CWE-307'],
    remediation:
      'Switch batching off, or limit how many operations one request may hold and count each of them for rate limits.',
  },
  'directive-overloading': {
    title: 'Directives on one field are not limited',
    severity: 'info',
    evidenceClass: 'A',
    cwe: ['CWE-770'],
    remediation: 'Limit the number of directives and tokens of a query in the parser.',
  },
  'get-queries': {
    title: 'Queries are answered over GET',
    severity: 'info',
    evidenceClass: 'A',
    cwe: ['CWE-598'],
    remediation:
      'Answer POST with application/json only, unless answers are meant to be cached; queries in URLs end up in logs.',
  },
  'get-mutations': {
    title: 'Mutations are executed over GET',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-352', 'CWE-650'],
    remediation: 'Refuse every operation but queries over GET.',
  },
  'simple-content-type': {
    title: 'Operations are accepted in a form that any web page can send',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-352'],
    remediation: 'Accept application/json only, or demand a header that makes a browser ask first.',
  },
  'stack-trace': {
    title: 'Errors carry traces of the server',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-209'],
    remediation: 'Switch the debug mode off and mask errors that are not meant for callers.',
  },
  tracing: {
    title: 'Answers carry the timing of every resolver',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-200', 'CWE-489'],
    remediation: 'Switch the tracing extension off in production.',
  },
  playground: {
    title: 'An interactive page for queries is served',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-489'],
    remediation: 'Do not serve GraphiQL, Playground and their like in production.',
  },
} as const satisfies RuleTable<string>;

export type GraphqlRule = keyof typeof graphqlRules;
