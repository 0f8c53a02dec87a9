import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minuteMs } from '../../../src/base/limits.ts';
import { runToolOrFail } from '../../../src/base/process.ts';
import type { Docker } from './docker.ts';
import { repository } from './files.ts';

/** The Dockerfile itself, up to the stage that needs nothing but packages, on a base that is made of packages as well. */

export const buildMs = 25 * minuteMs;
const authorities = '/usr/local/share/ca-certificates';

export function whyNoBuild(): string | null {
  if (process.env.HOTCELL_TEST_IMAGE_BUILD !== '1') return 'takes minutes and the network: HOTCELL_TEST_IMAGE_BUILD=1';
  return existsSync('/usr/bin/mmdebstrap') ? null : 'mmdebstrap, which makes the base, is not installed here';
}

/** Authorities that the administrator of this machine trusts: the mirror of a company may be behind one. */
function authorityFiles(): readonly string[] {
  const names = existsSync(authorities) ? readdirSync(authorities) : [];
  return names.filter((name) => name.endsWith('.crt')).map((name) => join(authorities, name).slice(1));
}

async function makeBase(docker: Docker): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hotcell-base-'));
  try {
    const file = join(folder, 'base.tar');
    await runToolOrFail('mmdebstrap', ['--variant=minbase', '--mode=root', 'bookworm', file], { timeoutMs: buildMs });
    await runToolOrFail('tar', [
      '-r',
      '--owner=0',
      '--group=0',
      '-f',
      file,
      '-C',
      '/',
      '-T',
      '/dev/null',
      ...authorityFiles(),
    ]);
    const setting = 'ENV NPM_CONFIG_CAFILE=/etc/ssl/certs/ca-certificates.crt';
    await docker.run(['import', `--change=${setting}`, file, 'debian-local'], { timeoutMs: buildMs });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function buildImage(docker: Docker): Promise<string> {
  await makeBase(docker);
  const file = join(repository, 'redbox/Dockerfile');
  const wanted = ['--target=plain', '--build-arg=BASE=debian-local', '--network=host', '--tag=hotcell-redbox:built'];
  // The builder that every engine has: the other one is a part of its own.
  await docker.run(['build', ...wanted, `--file=${file}`, repository], {
    timeoutMs: buildMs,
    environment: { DOCKER_BUILDKIT: '0' },
  });
  return 'hotcell-redbox:built';
}
