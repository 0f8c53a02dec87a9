import { baitFile, type DecoyKind, plainFile } from '../decoy.ts';
import { awsAccessKey } from '../vendors/aws-access-key.ts';
import { awsSecretKey } from '../vendors/aws-secret-key.ts';

export const aws: DecoyKind = {
  id: 'aws',
  title: 'AWS credentials and configuration',
  make: (context) => ({
    files: [
      baitFile(
        context,
        '.aws/credentials',
        [awsAccessKey, awsSecretKey, awsAccessKey, awsSecretKey],
        (id, secret, otherId, otherSecret) =>
          [
            '[default]',
            `aws_access_key_id = ${id}`,
            `aws_secret_access_key = ${secret}`,
            '',
            '[production]',
            `aws_access_key_id = ${otherId}`,
            `aws_secret_access_key = ${otherSecret}`,
            '',
          ].join('\n'),
      ),
      plainFile(
        '.aws/config',
        '[default]\nregion = eu-central-1\noutput = json\n\n[profile production]\nregion = eu-west-1\n',
        0o600,
      ),
    ],
  }),
};
