import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hotcell } from './hotcell.ts';
import { openClient, openNew, openOld } from './mcp/clients.ts';
import { serveHttp } from './mcp/served.ts';

/** `hotcell mcp --tools guard` through real clients: one home, several processes, one after the other and at once. */

const home = mkdtempSync(join(tmpdir(), 'hotcell-guard-tools-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

// The name that another tool has for the same folder.
const place = { args: ['--tools', 'guard'], environment: { MCP_RCE_GUARD_HOME: home } };
const registration = { serverId: 'files', binary: 'node', args: ['server.js'], trustTier: 'LOW' };

describe('hotcell mcp --tools guard', () => {
  it('has its seven tools, says truly what they do, and keeps what it is told over a restart', async () => {
    const first = await openClient('auto', place);
    const { tools } = await first.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['register_subprocess', false],
      ['audit_subprocess', false],
      ['scan_cve_replay', false],
      ['track_canary', false],
      ['inject_egress_policy', false],
      ['get_audit_log', true],
      ['verify_audit_log', true],
    ]);
    for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ type: 'object' });
    const registered = await first.callTool({ name: 'register_subprocess', arguments: registration });
    expect(registered.isError ?? false).toBe(false);
    const { subprocessHandle } = registered.structuredContent as { subprocessHandle: string };
    const chain = { chainId: 'c', sourceServerId: 'mail', downstreamServerIds: ['web'] };
    const issued = await first.callTool({ name: 'track_canary', arguments: chain });
    const { canaryToken } = issued.structuredContent as { canaryToken: string };
    await first.close();

    const second = await openOld(place);
    const audit = { subprocessHandle, requestedArgs: ['server.js'], requestedBinary: 'node' };
    expect((await second.call('audit_subprocess', audit)).structuredContent).toMatchObject({ verdict: 'approve' });
    const streams = [{ serverId: 'web', channel: 'stdout', text: Buffer.from(canaryToken).toString('hex') }];
    const looked = await second.call('track_canary', { ...chain, streams });
    expect(looked.structuredContent).toMatchObject({ canaryToken, leakDetected: true });
    await second.close();

    const served = await serveHttp(place.args, { ...place.environment, MCP_TOKEN: 'a-token-for-tests-0123456789' });
    const third = await openNew('legacy', { url: served.url, token: 'a-token-for-tests-0123456789' });
    const checked = await third.call('scan_cve_replay', { targetServerCommand: 'bash -c id' });
    expect(checked.structuredContent).toMatchObject({ overall: 'fail' });
    await third.close();
    expect((await served.end()).code).toBe(143);
    expect(existsSync(join(home, 'guard', 'state.sqlite'))).toBe(true);

    const environment = { HOTCELL_HOME: home };
    const words = ['--subprocess-handle', subprocessHandle, '--requested-args', 'another.js', '--json'];
    const blocked = hotcell(['tool', 'audit_subprocess', ...words], { environment });
    expect(JSON.parse(blocked.stdout)).toMatchObject({ verdict: 'block' });
    const log = JSON.parse(hotcell(['tool', 'get_audit_log', '--json'], { environment }).stdout);
    expect(
      log.entries.map(({ action }: { action: string }) => action).filter((each: string) => !each.startsWith('ledger')),
    ).toEqual([
      'subprocess.audit',
      'command.check',
      'canary.leak',
      'subprocess.audit',
      'canary.track',
      'subprocess.register',
    ]);
    const verified = hotcell(['tool', 'verify_audit_log', '--json'], { environment });
    expect(JSON.parse(verified.stdout)).toMatchObject({ isIntact: true, problems: [] });
  });
});
