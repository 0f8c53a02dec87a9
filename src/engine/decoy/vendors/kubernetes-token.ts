import type { Vendor } from '../canary.ts';

const signatureBytes = 256;
const needleCharacters = 96;
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A service account token: header, claims and an RS256 signature. Its claims are dull, so the signature proves it. */
export const kubernetesToken: Vendor = {
  id: 'kubernetes-token',
  title: 'Kubernetes service account token',
  kind: 'cluster',
  make: (random) => {
    const signature = random.bytes(signatureBytes).toString('base64url');
    const header = part({ alg: 'RS256', kid: random.bytes(32).toString('base64url') });
    const claims = part({
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'kube-system',
      'kubernetes.io/serviceaccount/service-account.name': 'deployer',
      sub: 'system:serviceaccount:kube-system:deployer',
    });
    return {
      token: `${header}.${claims}.${signature}`,
      needles: [signature.slice(0, needleCharacters), signature.slice(-needleCharacters)].map((text) =>
        Buffer.from(text),
      ),
    };
  },
};
