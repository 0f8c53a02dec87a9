import { baitFile, type DecoyKind } from '../decoy.ts';
import { dockerPassword } from '../vendors/docker-password.ts';
import { kubernetesToken } from '../vendors/kubernetes-token.ts';

function kubeConfig(company: string, token: string, authority: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: ${company}-prod
  cluster:
    server: https://k8s.${company}.example:6443
    certificate-authority-data: ${authority}
contexts:
- name: prod
  context:
    cluster: ${company}-prod
    namespace: default
    user: deployer
current-context: prod
users:
- name: deployer
  user:
    token: ${token}
`;
}

export const containers: DecoyKind = {
  id: 'containers',
  title: 'Kubernetes and Docker configuration',
  make: (context) => {
    const { user, company } = context.person;
    const certificate = `-----BEGIN CERTIFICATE-----\n${context.random.bytes(720).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
    return {
      files: [
        baitFile(context, '.kube/config', [kubernetesToken], (token) =>
          kubeConfig(company, token, Buffer.from(certificate).toString('base64')),
        ),
        // The password stands there in base64 with the user's name before it, as docker login leaves it.
        baitFile(context, '.docker/config.json', [dockerPassword], (password) => {
          const auth = Buffer.from(`${user}:${password}`).toString('base64');
          return `${JSON.stringify({ auths: { [`docker.${company}.example`]: { auth } }, currentContext: 'default' }, null, '\t')}\n`;
        }),
      ],
    };
  },
};
