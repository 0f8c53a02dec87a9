import { baitFile, type DecoyKind } from '../decoy.ts';
import { npmToken } from '../vendors/npm-token.ts';
import { pypiToken } from '../vendors/pypi-token.ts';

/** The company's own indexes: the names of the public ones are settings, and not written here. */
export const packages: DecoyKind = {
  id: 'packages',
  title: 'Tokens for publishing packages',
  make: (context) => {
    const { company } = context.person;
    return {
      files: [
        baitFile(
          context,
          '.npmrc',
          [npmToken],
          (token) =>
            `@${company}:registry=https://npm.${company}.example/\n//npm.${company}.example/:_authToken=${token}\nfund=false\n`,
        ),
        baitFile(
          context,
          '.pypirc',
          [pypiToken],
          (token) =>
            `[distutils]\nindex-servers =\n    ${company}\n\n[${company}]\nrepository = https://pypi.${company}.example/legacy/\nusername = __token__\npassword = ${token}\n`,
        ),
      ],
    };
  },
};
