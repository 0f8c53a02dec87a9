import type { DockerOptions, SshOptions } from '../../../src/engine/connector/index.ts';
import { type Container, type ContainerOptions, openContainer } from './container.ts';
import { freePort, hasSshd, makeKey, openSshd, type Sshd, type SshdOptions } from './sshd.ts';

export { type DockerEngine, hasDockerEngine, startDockerEngine } from '../escape/host/docker-engine.ts';
export {
  type Container,
  type ContainerOptions,
  freePort,
  hasSshd,
  makeKey,
  openContainer,
  openSshd,
  type Sshd,
  type SshdOptions,
};

/** A machine over ssh and a container, both real, for as long as a test needs them. */
export interface Places {
  readonly ssh: SshOptions;
  readonly docker: DockerOptions;
  readonly sshd: Sshd;
  readonly container: Container;
  close(): Promise<void>;
}

export async function openPlaces(): Promise<Places> {
  const [sshd, container] = await Promise.allSettled([openSshd(), openContainer()]);
  const close = async (): Promise<void> => {
    if (sshd.status === 'fulfilled') await sshd.value.close();
    if (container.status === 'fulfilled') await container.value.close();
  };
  if (sshd.status === 'rejected' || container.status === 'rejected') {
    await close();
    throw sshd.status === 'rejected' ? sshd.reason : container.status === 'rejected' ? container.reason : undefined;
  }
  return {
    ssh: sshd.value.options,
    docker: container.value.options,
    sshd: sshd.value,
    container: container.value,
    close,
  };
}
