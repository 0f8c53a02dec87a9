import { stat } from 'node:fs/promises';
import { mebibyte } from '../../../base/limits.ts';
import { notAvailable, yes } from '../../../base/outcome.ts';
import type { HostProbe } from '../contract.ts';

const typeInformation = '/sys/kernel/btf/vmlinux';

export const btf: HostProbe = {
  id: 'btf',
  title: 'BTF type information',
  usedFor: 'kernel tracing that does not depend on the kernel build',
  async ask() {
    try {
      const { size } = await stat(typeInformation);
      return yes({ summary: `${(size / mebibyte).toFixed(1)} MiB`, details: { sizeBytes: size } });
    } catch {
      return notAvailable(`${typeInformation} is not there: the kernel was built without CONFIG_DEBUG_INFO_BTF`);
    }
  },
};
