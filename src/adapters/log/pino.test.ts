import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pinoLog } from './pino.ts';

function linesOf(write: (log: ReturnType<typeof pinoLog>) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-log-'));
  const file = join(folder, 'log');
  write(pinoLog({ level: 'info', to: { file } }));
  const lines: Record<string, unknown>[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const mode = statSync(file).mode & 0o777;
  rmSync(folder, { recursive: true });
  return { lines, mode };
}

test('a line has its message, its level, and the fields of its log', () => {
  const { lines, mode } = linesOf(log => {
    log.debug('not asked for');
    log.with({ controller: 'mac' }).warn('A pass failed', { key: 'default/mac-0' });
  });

  assert.equal(lines.length, 1);
  const [{ time, ...line } = {}] = lines;
  assert.deepEqual(line, { level: 'warn', message: 'A pass failed', controller: 'mac', key: 'default/mac-0' });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
  assert.equal(mode, 0o600);
});

test('secrets are struck out, at the top and one level below (safe-20)', () => {
  const { lines } = linesOf(log => log.info('x', { token: 'hush', login: { password: 'hush', user: 'm1' } }));

  assert.equal(JSON.stringify(lines).includes('hush'), false);
  assert.deepEqual(lines[0]?.login, { password: '[secret]', user: 'm1' });
});
