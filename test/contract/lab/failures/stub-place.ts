import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeCapa } from '../../../samples/lab/tool-outputs/capa-outputs.ts';
import { olevbaNone } from '../../../samples/lab/tool-outputs/outputs.ts';
import { openSshd, type Sshd } from '../../connector/places.ts';

/**
 * A machine over ssh with a shell, coreutils and nothing else; and on top, where asked for, stubs for analysis programs
 * that cannot be had here. A stub prints what the program prints or does what the program is known to do to its input.
 */
export interface StubPlace {
  readonly sshd: Sshd;
  close(): Promise<void>;
}

const basics =
  'bash cat chmod date env false grep head id ln md5sum mkdir mv printf readlink rm setsid sh sha1sum sha256sum sleep stat test tr true wc'.split(
    ' ',
  );

/** Waits for its fellow beside it: two that are run one after the other never meet. */
function meeting(own: string, other: string): string {
  return `: >met-${own}
round=0
while [ ! -e met-${other} ] && [ $round -lt 80 ]; do sleep 0.1; round=$((round + 1)); done
if [ -e met-${other} ]; then echo met; else echo alone; fi`;
}

function stubsIn(folder: string, mark: string): Readonly<Record<string, string>> {
  return {
    capa: `cat '${folder}/capa.json'`,
    olevba: `cat '${folder}/olevba.txt'; exit 5`,
    yara: `printf '<%s>\\n' "$@"`,
    // What it is known for: it changes the file that it is given.
    upx: `for one do [ -f "$one" ] && chmod u+w "$one" && echo changed >>"$one"; done; exit 0`,
    exiftool: `echo 'Comment : timeout error: Command timed out, exit status 124'; exit 1`,
    pestr: `case "$1" in *slow*) echo begun; sleep ${mark} ;; esac`,
    // Takes the folder away that it works in, and only that.
    'autoit-ripper': `case "$PWD" in /tmp/hotcell-desk-*) rm -rf -- "$PWD" ;; esac`,
    diec: meeting('diec', 'peframe'),
    peframe: meeting('peframe', 'diec'),
  };
}

/** Files of tests run side by side: `mark` tells the stub that never ends from that of another file. */
export async function openStubPlace(isStubbed: boolean, mark: string): Promise<StubPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-stubs-'));
  chmodSync(folder, 0o755);
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const name of basics) {
    const path = ['/usr/bin', '/bin'].map((at) => join(at, name)).find(existsSync);
    if (path !== undefined) symlinkSync(path, join(programs, name));
  }
  writeFileSync(join(folder, 'capa.json'), largeCapa);
  writeFileSync(join(folder, 'olevba.txt'), olevbaNone);
  for (const [name, script] of isStubbed ? Object.entries(stubsIn(folder, mark)) : []) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const sshd = await openSshd({ path: programs });
  return {
    sshd,
    async close() {
      await sshd.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
