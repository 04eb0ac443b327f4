import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { passwordOf } from './sudo-password.ts';

test('the field is preferred, then the decoded URL', () => {
  assert.equal(passwordOf('direct', 'vnc://m1:other@1.2.3.4:5900').reveal(), 'direct');
  assert.equal(passwordOf('', 'vnc://m1:p%40ss%2F%25@1.2.3.4:5900').reveal(), 'p@ss/%');
});

test('the marker of a sealed password is none, wherever it stands', () => {
  assert.equal(passwordOf('<sealed>', 'vnc://m1:real@1.2.3.4:5900').reveal(), 'real');
  assert.ok(passwordOf('<sealed>', 'vnc://m1:%3Csealed%3E@1.2.3.4:5900').isEmpty);
  assert.ok(passwordOf('', 'vnc://m1@1.2.3.4:5900').isEmpty);
  assert.ok(passwordOf('', '').isEmpty);
});

test('a stray percent sign is part of the password', () => {
  assert.equal(passwordOf('', 'vnc://m1:100%@1.2.3.4:5900').reveal(), '100%');
});

test('a password prints nowhere', () => {
  const password = passwordOf('hunter2', '');

  const printed = [String(password), JSON.stringify({ password }), inspect(password), inspect({ a: [password] })];
  assert.ok(printed.every(text => !text.includes('hunter2')));
});
