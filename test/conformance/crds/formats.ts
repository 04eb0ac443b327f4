// Formats of texts: which a schema may name, and which texts each takes.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';

/** Sends one object for each text, and notes whether it was taken. */
async function tried(t: Trial, texts: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const formats = Object.keys(texts);
  const properties = Object.fromEntries(formats.map(format => [format, { type: 'string', format }]));
  const spec = { type: 'object', properties };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const { path, api } = await widgets(t, { schema });
  for (const [format, values] of Object.entries(texts)) {
    for (const value of values) {
      const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, spec: { [format]: value } };
      const { status, json } = await t.quietly({ method: 'POST', path: `${path}?dryRun=All`, body });
      t.note(`${format} ${JSON.stringify(value)}`, status === 201 ? 'is taken' : json.message);
    }
  }
}

const octets = (count: number, sign = ':'): string => Array(count).fill('0a').join(sign);

export const formats: readonly Case[] = [
  {
    says: 'a date-time is read as Go reads it: any zone, and nothing behind a second t',
    steps: t =>
      tried(t, {
        'date-time': [
          ...['2020-01-01T00:00:00Z', '2020-01-01t00:00:00.5z', '2020-01-01 00:00:00Z', '2020-01-01T00:00:00+25:00'],
          ...['2020-01-01T00:00:00+0100', '2020-01-01T00:00:00-99:99', '2020-01-01T00:00:00', '2020-01-01T00:00:00,5Z'],
          ...['2020-01-01T24:00:00Z', '2020-01-01T00:60:00Z', '2020-01-01T00:00:60Z', '2020-02-30T00:00:00Z', ''],
          ...['2020-01-01T00:00:00Ztrash', '2020-01-01T00:00:00Zx', '2020-01-01T00:00:00\n5Z', '10000-01-01T00:00:00Z'],
        ],
        date: ['2020-02-29', '2021-02-29', '2020-1-1', '20-01-01', '2020-01-01T00:00:00Z', ''],
      }),
  },
  {
    says: 'an address may have zeros before its parts, and IPv4 is what has a point',
    steps: t =>
      tried(t, {
        ipv4: ['1.1.1.1', '01.1.1.001', '1.1.1', '1.1.1.256', '::ffff:1.2.3.4', '1.1.1.1/8', '0x1.1.1.1', ''],
        ipv6: ['::', 'fe80::1%eth0', '::ffff:1.2.3.4', '::01.1.1.1', '1.1.1.1', '1:2:3:4:5:6:7:8:9', '12345::', ''],
        cidr: ['10.0.0.0/8', '010.0.0.0/08', '10.0.0.1/8', '10.0.0.0/33', '10.0.0.0', '::/0', '10.0.0.0/-1', '1.1/8'],
        mac: [
          octets(6),
          octets(8, '-'),
          octets(20),
          octets(7),
          '01:23-45:67:89:ab',
          '0123.4567.89ab',
          '0123:4567:89ab',
        ],
      }),
  },
  {
    says: 'a duration is any text with a whole number before a unit',
    steps: t =>
      tried(t, {
        duration: [
          ...[
            '1h',
            '-1h30m',
            '.5s',
            '1.s',
            '0',
            '+0',
            '',
            '1 hour',
            '1hrs',
            '3 weeks',
            '1 weekend',
            '5 days ago',
            'P1D',
          ],
          ...['PT0.5S', 'P', 'P1', '1y', '1 month', '1 min', '1 millisecond', '1µs', '1 μs', 'x1d', '1h1', '1e3s'],
          ...['99999999999999999999 days', '9999999999h', '1.5.2 days', 'two days'],
        ],
      }),
  },
  {
    says: 'an address of a resource is what a request line may have',
    steps: t =>
      tried(t, {
        uri: [
          ...[
            'http://a',
            'a',
            '/a b',
            '//a',
            '//a b/c',
            'a:',
            'mailto:a b',
            '*',
            '#x',
            '?x',
            '1:a',
            ':a',
            '+a:b',
            'a+b:c',
          ],
          ...[
            'http://%zz',
            'http://a/%zz',
            '/%zz',
            '/a?%zz',
            'http://a/?q q',
            'http://a b',
            'http://a{b/',
            'http://ä.de/',
          ],
          ...[
            'http://u@h/',
            'http://u v@h',
            'http://u%zz@h',
            'http://a@b@c/',
            'http://a:/',
            'http://a:b/',
            'http://a:b:80/',
          ],
          ...[
            'http://[::1]:80/a',
            'http://[::1',
            'http://[::1]a/',
            'http://[a]/',
            'http://[fe80::1%25eth0]/',
            'http://a]b',
          ],
          ...['http://%41/', 'http://%25/', 'http://%e4/', 'http:///x', '/a\u007f', ''],
        ],
      }),
  },
  {
    says: 'a mail address may have a name before it and a remark behind it',
    steps: t =>
      tried(t, {
        email: [
          ...[
            'a@b',
            'a',
            'a@',
            '@b',
            '',
            'A <a@b.c>',
            'A. B <a@b>',
            'A, B <a@b>',
            '"A, B" <a@b>',
            'A<a@b>',
            '<a@b>',
            '<a@b',
          ],
          ...[
            'A <>',
            'a@b>',
            '"a b"@c',
            'a b@c',
            ' a@b ',
            'a@b (x)',
            '(x)a@b',
            'a (x) @b',
            'a@b c',
            'a@b, c@d',
            'Grp: a@b;',
          ],
          ...[
            'a..b@c',
            '.a@b',
            'a.@b',
            'a@b.',
            'a@b..c',
            'ä@b',
            'a:b@c',
            'a@[1.2.3.4]',
            'a@[x]',
            'a@-b',
            'a@b\n',
            'a\u0001@b',
          ],
        ],
      }),
  },
  {
    says: 'a host name has dashes only before a last part of letters',
    steps: t =>
      tried(t, {
        hostname: [
          ...[
            'a',
            'a-',
            '-a',
            'a-b',
            'ab-c',
            'ab-c.com',
            'a-.com',
            'a.b',
            'a.com',
            'a.com.',
            'A.COM',
            'a..com',
            'a.co1',
          ],
          ...[
            '1.1.1.1',
            '1.com',
            'ä.de',
            '€',
            'a_b',
            'a b',
            '',
            'x'.repeat(63),
            'x'.repeat(65),
            `${'x'.repeat(64)}.com`,
          ],
        ],
        'k8s-short-name': ['a', 'A', 'a.b', '1a', '-a', '', 'x'.repeat(64)],
        'k8s-long-name': ['a', 'A', 'a.b', 'a..b', 'a.b.', ''],
      }),
  },
  {
    says: 'numbers of cards, books and people, colours, ids and bytes are checked by their digits',
    steps: t =>
      tried(t, {
        creditcard: [
          '4111 1111-1111 1111',
          '4111111111111112',
          '378282246310005',
          '6011111111111117',
          '411111111111111',
          '',
        ],
        isbn: ['0-306-40615-2', '030640615X', '978-3-16-148410-0', '97 83161484100', 'x', ''],
        ssn: ['111-22-3333', '111 22-3333', '111223333', ''],
        rgbcolor: ['rgb(0,99,255)', 'rgb( 1 , 2 , 3 )', 'rgb(01,2,3)', 'rgb(256,0,0)', 'RGB(1,2,3)', 'rgb(1,2,3,4)'],
        hexcolor: ['#fff', 'FFFFFF', '#ffff', ''],
        uuid: ['123e4567-e89b-12d3-a456-426614174000', '123e4567e89b12d3a456426614174000', 'x', ''],
        bsonobjectid: ['507f1f77bcf86cd799439011', 'x'],
        byte: ['YQ==', 'YQ', '', '_w==', '/w==', 'YQ==\n'],
      }),
  },
  {
    says: 'a format that nobody knows is warned of when it is new, and is no restriction',
    steps: async t => {
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const group = `${t.own('f')}.example.com`;
      const path = `${definitions}/things.${group}`;
      const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
      const noted = (what: string, { status, headers }: Told): void => t.note(what, [status, headers.warning ?? '']);
      const versionsOf = (properties: object): object[] => {
        const schema = { openAPIV3Schema: { type: 'object', properties } };
        return [{ name: 'v1', served: true, storage: true, schema }];
      };
      const headers = { 'content-type': 'application/merge-patch+json' };
      const patched = async (what: string, body: object): Promise<void> =>
        noted(what, await t.quietly({ method: 'PATCH', path, body, headers }));
      const changed = (what: string, properties: object): Promise<void> =>
        patched(what, { spec: { versions: versionsOf(properties) } });
      t.after(() => t.quietly({ method: 'DELETE', path }));
      const own = (type: string, format: string): object => ({ a: { type: 'array', items: { type, format } } });
      const versions = versionsOf({ ...own('string', 'foo'), b: { type: 'object', format: 'foo' } });
      const body = { metadata: { name: `things.${group}` }, spec: { group, names, scope: 'Namespaced', versions } };
      noted('a format of our own', await t.quietly({ method: 'POST', path: definitions, body }));
      await changed('again', { ...own('string', 'foo'), c: { type: 'string' } });
      await changed('another', { ...own('string', 'Email'), c: { type: 'string' } });
      const pairs = {
        integer: ['int64', 'uint32', 'email'],
        number: ['double'],
        string: ['float', 'datetime', 'isbn-10', 'int-or-string', ''],
        boolean: ['foo'],
      };
      const each = Object.entries(pairs).flatMap(([type, named]) => named.map(format => [type, format] as const));
      for (const [type, format] of each) {
        await changed(`${format} of ${type}`, own(type, format));
      }
      const both = { 'x-kubernetes-int-or-string': true };
      await changed('int-or-string', { a: { ...both, format: 'int-or-string' } });
      await changed('foo of int-or-string', { a: { ...both, format: 'foo' } });
      await changed('email of int-or-string', { a: { ...both, format: 'email' } });
      const nested = { a: { type: 'object', additionalProperties: { type: 'string', format: 'deep' } } };
      await changed('below a map', nested);
      await patched('a label', { metadata: { labels: { a: 'b' } } });
    },
  },
];
