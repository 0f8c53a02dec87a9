import { baitFile, type DecoyKind, daysBefore, plainFile } from '../decoy.ts';
import { githubFine } from '../vendors/github-fine.ts';
import { githubOauth } from '../vendors/github-oauth.ts';
import { githubToken } from '../vendors/github-token.ts';
import { gitlabToken } from '../vendors/gitlab-token.ts';
import { urlPassword } from '../vendors/url-password.ts';

export const git: DecoyKind = {
  id: 'git',
  title: 'Git, GitHub and GitLab credentials',
  make: (context) => {
    const { user, name, email, company } = context.person;
    return {
      files: [
        plainFile(
          '.gitconfig',
          `[user]\n\tname = ${name}\n\temail = ${email}\n[credential]\n\thelper = store\n[init]\n\tdefaultBranch = main\n[pull]\n\trebase = true\n`,
        ),
        baitFile(
          context,
          '.git-credentials',
          [githubToken, gitlabToken],
          (github, gitlab) => `https://${user}:${github}@github.com\nhttps://oauth2:${gitlab}@git.${company}.example\n`,
        ),
        baitFile(
          context,
          '.config/gh/hosts.yml',
          [githubOauth],
          (token) =>
            `github.com:\n    users:\n        ${user}:\n            oauth_token: ${token}\n    git_protocol: https\n    oauth_token: ${token}\n    user: ${user}\n`,
        ),
        baitFile(
          context,
          '.netrc',
          [urlPassword, githubFine],
          (password, token) =>
            `machine artifacts.${company}.example\n  login ${user}\n  password ${password}\n\nmachine api.github.com\n  login ${user}\n  password ${token}\n# rotated ${daysBefore(context.now, 41).toISOString().slice(0, 10)}\n`,
        ),
      ],
    };
  },
};
