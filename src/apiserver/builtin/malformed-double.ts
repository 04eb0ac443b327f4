// Objects that the real server cannot read as their kind: what it says is recorded by test/kube.

import type { JsonObject } from '../parts.ts';

export interface MalformedCase {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly cluster?: true;
  readonly object: JsonObject;
}

const pod = (object: JsonObject): MalformedCase => ({ apiVersion: 'v1', kind: 'Pod', plural: 'pods', object });
const inPod = (spec: JsonObject): MalformedCase => pod({ spec });
const inContainer = (container: JsonObject): MalformedCase =>
  inPod({
    containers: [
      { name: 'a', image: 'a' },
      { name: 'b', image: 'b', ...container },
    ],
  });
const deployment = (spec: JsonObject): MalformedCase => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  object: { spec },
});

/** By what is wrong with it. */
export const malformedCases: Readonly<Record<string, MalformedCase>> = {
  'a number for a text': pod({ metadata: { name: 5 } }),
  'a text for a list': inPod({ containers: 'a' }),
  'a list for an object': inPod({ securityContext: [] }),
  'an object for a text': inPod({ nodeName: {} }),
  'a number in a map of texts': inPod({ nodeSelector: { a: 1 } }),
  'a text for a flag': inPod({ hostNetwork: 'yes' }),
  'a text for a number': inPod({ terminationGracePeriodSeconds: '30' }),
  'a fraction for a whole number': inPod({ terminationGracePeriodSeconds: 1.5 }),
  'a text in a list of objects': inContainer({ env: ['A=1'] }),
  'a number for a value of a variable': inContainer({ env: [{ name: 'A', value: 1 }] }),
  'a number that is too large': deployment({ replicas: 3_000_000_000 }),
  'a quantity that is none': inContainer({ resources: { limits: { cpu: 'lots' } } }),
  'a flag for a number or text': inContainer({ livenessProbe: { httpGet: { port: true } } }),
  'a time that is none': pod({ metadata: { name: 'x', deletionTimestamp: 'soon' } }),
  'a number for a time': pod({ metadata: { name: 'x', creationTimestamp: 5 } }),
  'bytes that are no base64': {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    object: { metadata: { name: 'x' }, data: { a: '***' } },
  },
  'unknown fields': pod({
    colour: 'red',
    spec: { zone: 'a', containers: [{ name: 'a', vlaue: 1 }], age: { b: 1 } },
    another: {},
  }),
  'an unknown field in a list of a map': deployment({
    template: {
      spec: {
        containers: [{ name: 'a', env: [{ name: 'A', valeu: '1' }] }],
        volumes: [{ name: 'v', emptyDir: { x: 1 } }],
      },
    },
  }),
};
