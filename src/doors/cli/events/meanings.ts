/** What a file that programs should leave alone is to its owner. The first that fits is taken. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/\/\.ssh\/id_[^/]+$(?<!\.pub)/, 'SSH private key'],
  [/\/\.ssh\//, 'SSH hosts and settings'],
  [/\/\.aws\//, 'AWS credentials'],
  [/\/\.npmrc$/, 'npm publishing token'],
  [/\/\.pypirc$/, 'PyPI publishing token'],
  [/\/\.netrc$/, 'passwords for hosts'],
  [/\/\.git-credentials$/, 'git passwords'],
  [/\/\.kube\//, 'Kubernetes cluster access'],
  [/\/\.docker\//, 'registry passwords'],
  [/\/gcloud\//, 'Google Cloud token'],
  [/\/\.azure\//, 'Azure token'],
  [/\/gh\/hosts\.yml$/, 'GitHub token'],
  [/\/\.[a-z_]*history$/, 'shell history'],
  [/\/(?:Login Data|logins\.json|key4\.db)$/, 'saved browser passwords'],
  [/\/[Cc]ookies(?:\.sqlite)?$/, 'browser cookies'],
  [/wallet|\.ethereum|solana/i, 'crypto wallet'],
  [/bitwarden|1password|keepass|\.kdbx$|\.password-store/i, 'password vault'],
  [/\.claude\.json$|\/\.cursor\/|\/mcp\.json$/, 'configuration of an AI agent'],
  [/\/environ(?:ment)?$/, 'variables with secrets'],
  [/\/\.env(?:\.[^/]*)?$/, 'secrets of a project'],
];

export function meaningOf(path: string): string | null {
  return meanings.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
