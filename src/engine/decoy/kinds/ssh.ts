import { createHmac } from 'node:crypto';
import { baitFile, type DecoyContext, type DecoyKind, plainFile, publicMode } from '../decoy.ts';
import { publicLineOf } from '../keys/openssh.ts';
import { sshKey, sshKeyComment } from '../vendors/ssh-key.ts';

const seedBytes = 32;

function config({ person }: DecoyContext): string {
  return [
    'Host bastion',
    `  HostName bastion.${person.company}.example`,
    `  User ${person.user}`,
    '  IdentityFile ~/.ssh/id_ed25519',
    '',
    'Host prod-*',
    '  ProxyJump bastion',
    '  User deploy',
    '',
  ].join('\n');
}

/** Hashed, as Debian and Ubuntu write them. */
function knownHosts({ random, person }: DecoyContext): string {
  const hosts = ['github.com', `bastion.${person.company}.example`, `git.${person.company}.example`];
  return hosts
    .map((host) => {
      const salt = random.bytes(20);
      const digest = createHmac('sha1', salt).update(host).digest('base64');
      const [type = '', key = ''] = publicLineOf(random.bytes(seedBytes), '').split(' ');
      return `|1|${salt.toString('base64')}|${digest} ${type} ${key}\n`;
    })
    .join('');
}

export const ssh: DecoyKind = {
  id: 'ssh',
  title: 'OpenSSH key, configuration and known hosts',
  make: (context) => {
    const key = baitFile(context, '.ssh/id_ed25519', [sshKey], (file) => file);
    const seed = key.canaries[0]?.needles.find((needle) => needle.length === seedBytes) ?? Buffer.alloc(seedBytes);
    return {
      files: [
        key,
        plainFile('.ssh/id_ed25519.pub', `${publicLineOf(seed, sshKeyComment)}\n`, publicMode),
        plainFile('.ssh/config', config(context), 0o600),
        plainFile('.ssh/known_hosts', knownHosts(context)),
      ],
    };
  },
};
