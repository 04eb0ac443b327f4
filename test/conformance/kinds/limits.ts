// What a LimitRange makes of Pods and claims: what is filled in, and what is refused in which words.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { verdict } from './odd-objects.ts';

type Fields = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, spec: Fields];

const image = 'example.com/main:1';
const asking = (name: string, requests: Fields, limits: Fields = {}, more: Fields = {}): Fields => ({
  name,
  image,
  resources: { requests, limits },
  ...more,
});
/** A Pod of one container. */
const one = (requests: Fields, limits: Fields = {}, more: Fields = {}): Fields => ({
  containers: [asking('main', requests, limits)],
  ...more,
});

async function limited(t: Trial, limits: readonly object[]): Promise<void> {
  const made = await t.quietly({
    method: 'POST',
    path: await t.in('limitranges'),
    body: { metadata: { name: 'r' }, spec: { limits } },
  });
  t.note('the range', verdict(made));
}

const ranged = (says: string, limits: readonly object[], ...rows: readonly Row[]): Case => ({
  says,
  steps: async t => {
    // The real server remembers for a while that there was none.
    await limited(t, limits);
    const path = `${await podsIn(t)}?dryRun=All`;
    for (const [what, spec] of rows) {
      const answer = await t.quietly({ method: 'POST', path, body: aPod('p', spec) });
      t.note(what, answer.status === 201 ? taken(answer.json) : verdict(answer));
    }
  },
});

function taken({ metadata, spec }: { metadata: Fields; spec: Record<string, readonly Fields[]> }): unknown {
  const resources = (list: string): unknown => spec[list]?.map(each => each.resources);
  return [metadata.annotations ?? null, resources('initContainers') ?? null, resources('containers'), spec.resources];
}

const claim = (storage: Fields, more: Fields = {}): object => ({
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: storage, ...more } },
});

export const limits: readonly Case[] = [
  ranged(
    'what a container may have is in proportion to what it asks for',
    [{ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }],
    ['in proportion', one({ cpu: '1' }, { cpu: '2' })],
    ['out of it', one({ cpu: '1' }, { cpu: '3' })],
    ['a fraction too much', one({ cpu: '300m' }, { cpu: '700m' })],
    ['no limit', one({ cpu: '1' })],
    ['nothing', one({})],
    ['limit alone', one({}, { cpu: '3' })],
    ['nothing asked for', one({ cpu: '0' }, { cpu: '3' })],
    ['no limit at all', one({ cpu: '1' }, { cpu: '0' })],
    ['another', one({ memory: '1' }, { memory: '9' })],
    ['before it', one({ cpu: '1' }, { cpu: '1' }, { initContainers: [asking('init', { cpu: '1' }, { cpu: '5' })] })],
  ),
  ranged(
    'each container is within the bounds, those before the others too',
    [{ type: 'Container', min: { memory: '10Mi' }, max: { memory: '100Mi' } }],
    ['too little', one({ memory: '5Mi' }, { memory: '50Mi' })],
    ['limit too low', one({ memory: '5Mi' }, { memory: '5Mi' })],
    ['too much', one({ memory: '50Mi' }, { memory: '200Mi' })],
    ['both too much', one({ memory: '150Mi' }, { memory: '200Mi' })],
    [
      'both kinds',
      one({ memory: '150Mi' }, { memory: '200Mi' }, { initContainers: [asking('init', { memory: '1Mi' })] }),
    ],
    ['nothing', one({})],
    ['before it', one({ memory: '50Mi' }, { memory: '50Mi' }, { initContainers: [asking('init', { memory: '1Mi' })] })],
    [
      'beside it',
      one(
        { memory: '50Mi' },
        { memory: '50Mi' },
        {
          initContainers: [asking('side', { memory: '1Mi' }, { memory: '500Mi' }, { restartPolicy: 'Always' })],
        },
      ),
    ],
    ['two', { containers: [asking('a', { memory: '1Mi' }), asking('b', { memory: '2Mi' }, { memory: '300Mi' })] }],
  ),
  ranged(
    'what a container does not say is filled in from the range, and then bounded',
    [
      {
        type: 'Container',
        default: { cpu: '500m', memory: '64Mi' },
        defaultRequest: { cpu: '100m', memory: '32Mi' },
        max: { cpu: '1' },
      },
    ],
    ['nothing', one({})],
    ['a limit', one({}, { cpu: '200m' })],
    ['a request', one({ cpu: '200m' })],
    ['a request above the default', one({ cpu: '700m' })],
    ['everything', one({ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' })],
    [
      'before it',
      one({ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }, { initContainers: [asking('init', {})] }),
    ],
  ),
  ranged(
    'what a range bounds is the default where it says no other',
    [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' } }],
    ['nothing', one({})],
    ['a request', one({ cpu: '200m' })],
    ['less', one({ cpu: '50m' })],
    ['more', one({}, { cpu: '3' })],
  ),
  ranged(
    'all containers of a Pod are within the bounds together',
    [{ type: 'Pod', min: { cpu: '200m' }, max: { cpu: '1' } }],
    ['nothing', one({})],
    ['too little', one({ cpu: '100m' }, { cpu: '1' })],
    [
      'together',
      { containers: [asking('a', { cpu: '100m' }, { cpu: '500m' }), asking('b', { cpu: '100m' }, { cpu: '500m' })] },
    ],
    [
      'too much',
      { containers: [asking('a', { cpu: '1' }, { cpu: '1' }), asking('b', { cpu: '1' }, { cpu: '1500m' })] },
    ],
    ['one without', { containers: [asking('a', { cpu: '300m' }, { cpu: '300m' }), asking('b', {})] }],
    [
      'before it',
      one({ cpu: '300m' }, { cpu: '300m' }, { initContainers: [asking('init', { cpu: '2' }, { cpu: '2' })] }),
    ],
    [
      'beside it',
      one(
        { cpu: '300m' },
        { cpu: '300m' },
        {
          initContainers: [asking('side', { cpu: '800m' }, { cpu: '800m' }, { restartPolicy: 'Always' })],
        },
      ),
    ],
    [
      'beside and before it',
      one(
        { cpu: '300m' },
        { cpu: '300m' },
        {
          initContainers: [
            asking('side', { cpu: '200m' }, { cpu: '200m' }, { restartPolicy: 'Always' }),
            asking('init', { cpu: '900m' }, { cpu: '900m' }),
          ],
        },
      ),
    ],
    ['of the Pod', one({}, {}, { resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } })],
    ['of the Pod, within', one({}, {}, { resources: { requests: { cpu: '300m' }, limits: { cpu: '1' } } })],
  ),
  ranged(
    'what a Pod may have is in proportion to what it asks for',
    [{ type: 'Pod', maxLimitRequestRatio: { memory: '2' } }],
    ['in proportion', one({ memory: '1Gi' }, { memory: '2Gi' })],
    [
      'out of it',
      {
        containers: [
          asking('a', { memory: '1Gi' }, { memory: '2Gi' }),
          asking('b', { memory: '1Gi' }, { memory: '4Gi' }),
        ],
      },
    ],
    ['nothing', one({})],
  ),
  {
    says: 'a claim is within the bounds, when it is made and when it changes',
    steps: async t => {
      await limited(t, [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } }]);
      const claims = await t.in('persistentvolumeclaims');
      const told = async (what: string, body: object): Promise<void> => {
        t.note(what, verdict(await t.quietly({ method: 'POST', path: `${claims}?dryRun=All`, body })));
      };
      await told('less', claim({ storage: '1Mi' }));
      await told('more', claim({ storage: '11Gi' }));
      await told('limit', claim({ storage: '2Gi' }, { limits: { storage: '20Gi' } }));
      await told('nothing', claim({}));
      await told('within', claim({ storage: '2Gi' }));
      await t.quietly({ method: 'POST', path: claims, body: claim({ storage: '2Gi' }) });
      const changed = async (what: string, body: object): Promise<void> => {
        const headers = { 'content-type': 'application/merge-patch+json' };
        t.note(what, verdict(await t.quietly({ method: 'PATCH', path: `${claims}/c?dryRun=All`, headers, body })));
      };
      const asking = (storage: string): object => ({ spec: { resources: { requests: { storage } } } });
      await changed('more before it is bound', asking('20Gi'));
      await changed('labels', { metadata: { labels: { a: 'b' } } });
      const headers = { 'content-type': 'application/merge-patch+json' };
      const status = { phase: 'Bound', capacity: { storage: '2Gi' } };
      await t.quietly({ method: 'PATCH', path: `${claims}/c/status`, headers, body: { status } });
      await changed('labels once it is bound', { metadata: { labels: { a: 'b' } } });
    },
  },
  {
    says: 'a Pod is resized within the bounds',
    steps: async t => {
      await limited(t, [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' } }]);
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p', one({ cpu: '1' }, { cpu: '1' })) });
      const sized = (cpu: string): object => ({ spec: { containers: [asking('main', { cpu }, { cpu })] } });
      for (const cpu of ['2', '3', '50m']) {
        const headers = { 'content-type': 'application/strategic-merge-patch+json' };
        const path = `${pods}/p/resize?dryRun=All`;
        t.note(cpu, verdict(await t.quietly({ method: 'PATCH', path, headers, body: sized(cpu) })));
      }
      await t.patch(`${pods}/p?dryRun=All`, 'merge-patch+json', { metadata: { labels: { a: 'b' } } });
    },
  },
];
