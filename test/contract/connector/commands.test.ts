import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { HostError, UsageError } from '../../../src/base/errors.ts';
import { describePlaces, mebibyte, quick } from './cases.ts';
import { expectGone, leaveStubborn, readPids, watchFamily } from './processes.ts';

describePlaces((place) => {
  const text = async (line: string, more: object = {}): Promise<string> => {
    const { stdout } = await place.at.shell(line, { ...quick, ...more });
    return stdout.toString();
  };

  it('hands on arguments as they are', async () => {
    const given = [
      '',
      ' ',
      "it's",
      '"',
      '$HOME `id` $(id)',
      'a\nb',
      '\\',
      '*',
      '-n',
      '--',
      'é 漢字 🜲',
      '!x',
      '#',
      '~',
      'a=b',
      '%s',
    ];
    const script = 'for one do printf "<%s>\\n" "$one"; done';
    const { stdout, code } = await place.at.exec(['/bin/sh', '-c', script, 'x', ...given], quick);
    expect(stdout.toString()).toBe(given.map((one) => `<${one}>\n`).join(''));
    expect(code).toBe(0);
  });

  it('takes a program for a program, even where a shell has a word of that name', async () => {
    expect((await place.at.exec(['exit', '3'], quick)).code).toBe(127);
    expect((await place.at.exec(['cat', '/dev/null;exit 3'], quick)).code).toBe(1);
  });

  it.each([
    ['a program that is not there', 'no-such-program', 127],
    ['a code', 'exit 41', 41],
    ['a code that is nearly a signal', 'exit 129', 129],
  ])('tells the end of %s', async (_, line, code) => {
    expect(await place.at.shell(line, quick)).toMatchObject({
      code,
      signal: null,
      hasTimedOut: false,
      wasCancelled: false,
    });
  });

  it('tells of a signal', async () => {
    expect(await place.at.shell('kill -s SEGV $$', quick)).toMatchObject({ code: null, signal: 'SIGSEGV' });
    const { stderr } = await place.at.shell('kill -s SEGV $$', quick);
    expect(stderr.toString()).toBe('');
  });

  it('keeps both streams apart, and hands in what is to be read', async () => {
    const input = randomBytes(300_000);
    const result = await place.at.exec(['/bin/sh', '-c', 'cat; echo problem >&2'], { ...quick, input });
    expect(result.stdout.equals(input)).toBe(true);
    expect(result.stderr.toString()).toBe('problem\n');
  });

  it('goes on when nobody reads the input', async () => {
    const input = Buffer.alloc(2 * mebibyte, 'x');
    expect(await place.at.shell('exec <&-; sleep 0.2; echo done', { ...quick, input })).toMatchObject({ code: 0 });
    const result = await place.at.shell('echo $$; sleep 30', { timeoutMs: 800, input });
    expect(result).toMatchObject({ hasTimedOut: true, code: null });
    await expectGone(place.at, readPids(result));
  });

  it('sets variables and the folder, and refuses a folder that is not there', async () => {
    const environment = { ONE: 'a b', TWO: "it's\n$ONE" };
    expect(await text('printf "%s|%s|" "$ONE" "$TWO"; pwd', { environment, cwd: place.folder })).toBe(
      `a b|it's\n$ONE|${place.folder}\n`,
    );
    expect(await text('echo "$LC_ALL" "$VITEST"')).toBe('C.UTF-8 \n');
    await expect(place.at.shell('true', { ...quick, cwd: `${place.folder}/none` })).rejects.toThrow(UsageError);
  });

  it('tells whole characters, however they arrive', async () => {
    const pieces: string[] = [];
    const onOutput = (_: string, piece: string): void => {
      pieces.push(piece);
    };
    const line = "printf '\\303'; sleep 0.2; printf '\\251\\346\\274'; sleep 0.2; printf '\\242\\377.'";
    const { stdout } = await place.at.shell(line, { ...quick, onOutput });
    expect(stdout.toString('hex')).toBe('c3a9e6bca2ff2e');
    expect(pieces.join('')).toBe('é漢\ufffd.');
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('keeps ten megabytes of each stream, and counts what it drops', async () => {
    const result = await place.at.shell('head -c 11534336 /dev/zero; head -c 10485761 /dev/zero >&2', quick);
    expect(result).toMatchObject({ code: 0, droppedStdoutBytes: mebibyte, droppedStderrBytes: 1 });
    expect(result.stdout.length).toBe(10 * mebibyte);
    const small = await place.at.shell('printf 12345', { ...quick, maxOutputBytes: 2 });
    expect([small.stdout.toString(), small.droppedStdoutBytes]).toEqual(['12', 3]);
  });

  it('ends a whole family at the time limit, though it ignores the signal to end', async () => {
    const result = await place.at.shell(leaveStubborn, { timeoutMs: 1500 });
    expect(result).toMatchObject({ hasTimedOut: true, wasCancelled: false, code: null });
    await expectGone(place.at, readPids(result));
  });

  it('ends it when it is cancelled, and gives what had arrived', async () => {
    const abort = new AbortController();
    const { whole, onOutput } = watchFamily();
    const running = place.at.shell(leaveStubborn, { ...quick, signal: abort.signal, onOutput });
    await whole;
    abort.abort();
    const result = await running;
    expect(result).toMatchObject({ hasTimedOut: false, wasCancelled: true, code: null });
    await expectGone(place.at, readPids(result));
    expect(await place.at.shell('echo no', { ...quick, signal: abort.signal })).toMatchObject({ wasCancelled: true });
  });

  it('leaves nothing behind a command that ended by itself', async () => {
    const line = '(trap "" TERM HUP; sleep 300) & echo $!; sleep 300 >/dev/null 2>&1 & echo $!';
    const result = await place.at.shell(line, quick);
    expect(result).toMatchObject({ code: 0, hasTimedOut: false });
    await expectGone(place.at, readPids(result));
  });

  it('runs many at once, and the end of one is not the end of the others', async () => {
    const late = place.at.shell('sleep 30', { timeoutMs: 700 });
    const others = Array.from({ length: 12 }, (_, index) => text(`sleep 1.2; echo ${index}`));
    expect(await late).toMatchObject({ hasTimedOut: true });
    expect(await Promise.all(others)).toEqual(Array.from({ length: 12 }, (_, index) => `${index}\n`));
  });

  it.each([0, -1, 1.5, 86_400_001, Number.NaN])('refuses a time limit of %d', async (timeoutMs) => {
    await expect(place.at.shell('true', { timeoutMs })).rejects.toThrow(UsageError);
  });

  it.each([[[]], [['']], [['-x']], [['echo', 'a\0b']], [['echo', 'x'.repeat(200_000)]]])(
    'refuses arguments that cannot be: %#',
    async (argv) => {
      await expect(place.at.exec(argv, quick)).rejects.toThrow(UsageError);
    },
  );

  it('ends what runs when it is closed, and takes nothing more', async () => {
    const connector = place.again();
    const { whole, onOutput } = watchFamily();
    const running = connector.shell(leaveStubborn, { ...quick, onOutput });
    await whole;
    await connector.close();
    const result = await running;
    expect(result).toMatchObject({ wasCancelled: true });
    await expectGone(place.at, readPids(result));
    await expect(connector.shell('true', quick)).rejects.toThrow(HostError);
  });
});
