import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kcpassword } from './auto-login.ts';

test('the password file is what macOS itself writes', () => {
  const hex = Buffer.from(kcpassword('password')).toString('hex');

  assert.equal(hex, '0de821 50a5d3af8ea3b91f7d'.replaceAll(' ', ''));
});

test('a password of a full block gets a further block, so that it ends in a zero', () => {
  assert.equal(kcpassword('123456789012').length, 24);
  assert.equal(kcpassword('12345678901').length, 12);
});
