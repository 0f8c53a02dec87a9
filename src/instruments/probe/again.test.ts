import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { againOf } from './again.ts';
import { scanners } from './scanners/index.ts';

const named = (name: string) => scanners.find((each) => each.name === name) ?? expect.fail(name);
const url = 'http://192.0.2.7/FUZZ';

describe('a command that shows it again', () => {
  it.each<[string, object, Readonly<Record<string, string>>, string]>([
    ['ffuf_discover', { url, word_list: 'common', match: 'default', calibrate: false }, {}, `ffuf ${url}`],
    [
      'ffuf_discover',
      { url, word_list: 'api', match: 'all-but-404', calibrate: true, extensions: ['json', 'bak'], credential: 'me' },
      {},
      `ffuf ${url} --word-list api --extensions json --extensions bak --match all-but-404 --calibrate --credential me`,
    ],
    ['nmap_scan', { target: '192.0.2.7', ports: '1-1000' }, { ports: '80' }, 'nmap 192.0.2.7 --ports 80'],
    ['arjun_params', { url: 'http://192.0.2.7/a', method: 'JSON' }, {}, 'arjun http://192.0.2.7/a --method JSON'],
    ['nuclei_scan', { url, preset: 'cves', severity: 'high' }, {}, `nuclei ${url} --preset cves --severity high`],
  ])('%s %j %j', (name, input, changes, wanted) => {
    const scanner = named(name);
    const whole = scanner.input.parse(input);
    expect(againOf(scanner, whole)(changes)).toBe(`hotcell probe ${wanted} --scope scope.json`);
  });

  it('comes through a shell as it was', () => {
    const odd = "http://192.0.2.7/a?x='$(id)'&y=`id`;FUZZ";
    const text = againOf(named('ffuf_discover'), { url: odd })();
    const heard = execFileSync('sh', ['-c', `printf '%s\\n' ${text}`], { encoding: 'utf8' }).split('\n');
    expect(heard[3]).toBe(odd);
  });
});
