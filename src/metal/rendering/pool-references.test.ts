import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poolReferencesOf } from './index.ts';
import type { MetaData, NetworkData, Route, SourceObjects } from './input.ts';
import type { PoolReference } from './pool-choice.ts';
import { renderingRefused } from './refused.ts';
import { anInput, aTemplate } from './world.testing.ts';

const { machine, metal3Machine, host } = anInput({});
const objects = { machine, metal3Machine, host };

const metal3 = (name: string): PoolReference => ({ name, kind: 'IPPool', apiGroup: 'ipam.metal3.io' });
const foreign = { name: 'pool', kind: 'InClusterIPPool', apiGroup: 'ipam.cluster.x-k8s.io' };
const annotation = { object: 'machine', annotation: 'pool' } as const;

interface Sections {
  readonly metaData?: MetaData;
  readonly networkData?: NetworkData;
}

const referencesOf = (sections: Sections, from: SourceObjects = objects): readonly PoolReference[] =>
  poolReferencesOf(aTemplate(sections), from);

const KINDS = ['ipv4', 'ipv6', 'ipv4DHCP', 'ipv6DHCP', 'ipv6SLAAC'] as const;
const common = { id: 'network-0', link: 'eth0' };
const routed = (kind: (typeof KINDS)[number], route: Partial<Route>): Sections => ({
  networkData: {
    networks: {
      [kind]: [{ ...common, ipAddressFromIPPool: 'own', routes: [{ network: '10.0.0.0', gateway: {}, ...route }] }],
    },
  },
});

interface Source {
  readonly title: string;
  readonly sections: Sections;
  readonly yields: readonly PoolReference[];
}

const SOURCES: readonly Source[] = [
  ...(['ipAddressesFromPool', 'prefixesFromPool', 'gatewaysFromPool', 'dnsServersFromPool'] as const).map(list => ({
    title: `metadata of ${list}`,
    sections: { metaData: { [list]: [{ key: 'a', name: 'pool' }] } },
    yields: [metal3('pool')],
  })),
  {
    title: 'metadata with another kind and group, which are not read',
    sections: { metaData: { ipAddressesFromPool: [{ key: 'a', ...foreign }] } },
    yields: [metal3('pool')],
  },
  ...(['ipv4', 'ipv6'] as const).flatMap(kind => [
    {
      title: `a network of ${kind} by name`,
      sections: { networkData: { networks: { [kind]: [{ ...common, ipAddressFromIPPool: 'pool' }] } } },
      yields: [metal3('pool')],
    },
    {
      title: `a network of ${kind} by reference`,
      sections: { networkData: { networks: { [kind]: [{ ...common, fromPoolRef: foreign }] } } },
      yields: [foreign],
    },
    {
      title: `a network of ${kind} by annotation`,
      sections: { networkData: { networks: { [kind]: [{ ...common, fromPoolAnnotation: annotation }] } } },
      yields: [metal3('annotated')],
    },
  ]),
  ...KINDS.flatMap(kind => {
    const own = kind === 'ipv4' || kind === 'ipv6' ? [metal3('own')] : [];
    return [
      {
        title: `a gateway of ${kind} by name`,
        sections: routed(kind, { gateway: { fromIPPool: 'pool' } }),
        yields: [...own, metal3('pool')],
      },
      {
        title: `a gateway of ${kind} by reference`,
        sections: routed(kind, { gateway: { fromPoolRef: foreign } }),
        yields: [...own, foreign],
      },
      {
        title: `a gateway of ${kind} by annotation`,
        sections: routed(kind, { gateway: { fromPoolAnnotation: annotation } }),
        yields: [...own, metal3('annotated')],
      },
      {
        title: `name servers of a route of ${kind}`,
        sections: routed(kind, { services: { dnsFromIPPool: 'pool' } }),
        yields: [...own, metal3('pool')],
      },
    ];
  }),
  {
    title: 'name servers of the host',
    sections: { networkData: { services: { dnsFromIPPool: 'pool' } } },
    yields: [metal3('pool')],
  },
  {
    title: 'a reference that leaves kind and group to their defaults',
    sections: { networkData: { networks: { ipv4: [{ ...common, fromPoolRef: { name: 'pool' } }] } } },
    yields: [metal3('pool')],
  },
  {
    title: 'a reference without a name, which is none',
    sections: {
      networkData: { networks: { ipv4: [{ ...common, fromPoolRef: { name: '' }, ipAddressFromIPPool: 'pool' }] } },
    },
    yields: [metal3('pool')],
  },
  { title: 'a template that names no pool', sections: {}, yields: [] },
];

for (const { title, sections, yields } of SOURCES) {
  test(`${title}: its pools are told`, () => {
    assert.deepEqual(referencesOf(sections), yields);
  });
}

test('a pool that several fields name is told once', () => {
  const sections = {
    metaData: { ipAddressesFromPool: [{ key: 'a', name: 'pool' }], prefixesFromPool: [{ key: 'b', name: 'pool' }] },
    networkData: {
      networks: { ipv4: [{ ...common, fromPoolRef: metal3('pool') }] },
      services: { dnsFromIPPool: 'pool' },
    },
  };

  assert.deepEqual(referencesOf(sections), [metal3('pool')]);
});

for (const other of [
  { ...foreign, kind: 'IPPool' },
  { ...foreign, apiGroup: 'ipam.metal3.io' },
]) {
  test(`one name for ${other.kind} of ${other.apiGroup} and for another pool is refused`, () => {
    const sections = {
      networkData: {
        networks: { ipv4: [{ ...common, fromPoolRef: foreign }], ipv6: [{ ...common, fromPoolRef: other }] },
      },
    };

    assert.throws(() => referencesOf(sections), {
      code: renderingRefused.code,
      message: `spec.networkData.networks.ipv6[0].fromPoolRef "pool": it is an ${other.kind} of ${other.apiGroup} here, and an InClusterIPPool of ipam.cluster.x-k8s.io in spec.networkData.networks.ipv4[0].fromPoolRef`,
    });
  });
}

const annotated = (object: string, name: string): Sections => {
  const sections: Sections = {
    networkData: {
      networks: { ipv4: [{ ...common, fromPoolAnnotation: { object: 'machine', annotation: name } }] },
    },
  };
  return JSON.parse(JSON.stringify(sections).replace('"machine"', JSON.stringify(object)));
};
const FIELD = 'spec.networkData.networks.ipv4[0].fromPoolAnnotation';

test('an annotation is let be while there is no object to read it of', () => {
  assert.deepEqual(referencesOf(annotated('machine', 'pool'), {}), []);
});

test('an annotation that is missing is refused', () => {
  assert.throws(() => referencesOf(annotated('machine', 'absent')), {
    message: `${FIELD}.annotation "absent": the machine has none, or an empty one`,
  });
});

test('an annotation that is empty is refused', () => {
  const empty = { ...machine, metadata: { ...machine.metadata, annotations: { pool: '' } } };

  assert.throws(() => referencesOf(annotated('machine', 'pool'), { ...objects, machine: empty }), {
    message: `${FIELD}.annotation "pool": the machine has none, or an empty one`,
  });
});

test('an annotation of an object that there is none of is refused', () => {
  assert.throws(() => referencesOf(annotated('switch', 'pool')), {
    message: `${FIELD}.object "switch": it is none of machine, metal3machine, baremetalhost`,
  });
});

test('an annotation of an object that is not there, while others are, is refused', () => {
  assert.throws(() => referencesOf(annotated('baremetalhost', 'pool'), { machine }), {
    message: `${FIELD}.object "baremetalhost": there is no such object yet`,
  });
});
