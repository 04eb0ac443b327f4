import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OsImage } from '../cloud.ts';
import { familyKey, familyOf, isVersioned, newestOf } from './os-image.ts';

const image = (name: string, version: string, more: Partial<OsImage> = {}): OsImage => ({
  id: name,
  name,
  family: 'Tahoe',
  version,
  serverTypes: ['M2-L'],
  ...more,
});

test('spellings of one family are one, and point releases do not matter', () => {
  const spellings = ['Tahoe', 'tahoe', 'macos-tahoe-26.0', 'macOS Tahoe 26.1', 'macos-tahoe', 'TAHOE'];

  assert.deepEqual([...new Set(spellings.map(familyKey))], ['tahoe']);
});

test('a pin with a version is told apart from a family', () => {
  assert.equal(isVersioned('macos-tahoe-26.0'), true);
  assert.equal(isVersioned('Tahoe'), false);
});

test('another family never matches, though its name has the same word in it', () => {
  assert.notEqual(familyKey('devos-tahoe-26.0'), familyKey('Tahoe'));
  assert.equal(familyOf(image('macos-sequoia-15.6', '15.6', { family: '15' })), 'sequoia');
});

test('the newest image of the family that the server boots is taken, by number', () => {
  const images = [
    image('macos-tahoe-26.9', '26.9'),
    image('macos-tahoe-26.10', '26.10'),
    image('macos-tahoe-26.11', '26.11', { serverTypes: ['M4-S'] }),
    image('macos-sequoia-15.6', '15.6', { family: 'Sequoia' }),
  ];

  assert.equal(newestOf(images, 'Tahoe', 'M2-L')?.version, '26.10');
  assert.equal(newestOf(images, 'macos-tahoe-26.0', 'M2-L')?.version, '26.10');
  assert.equal(newestOf(images, 'Sonoma', 'M2-L'), undefined);
});
