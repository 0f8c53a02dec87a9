import { shortestNeedleBytes, type Vendor } from '../canary.ts';
import { makeOpensshKey } from '../keys/openssh.ts';

export const sshKeyComment = 'dev@workstation';

/** The comment is the key's own; the public half is no secret, so it is not part of what proves a leak. */
export const sshKey: Vendor = {
  id: 'ssh-key',
  title: 'OpenSSH ed25519 private key',
  kind: 'key',
  make: (random) => {
    const { file, seed, secretLines } = makeOpensshKey(random, sshKeyComment);
    const lines = secretLines.filter((line) => line.length >= shortestNeedleBytes);
    return { token: file, needles: [...lines.map((line) => Buffer.from(line)), seed] };
  },
};
