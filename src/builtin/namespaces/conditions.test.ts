// The words in which a namespace names what holds its deletion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../kube/object.ts';
import { conditionsOf, isEmpty, type Seen } from './conditions.ts';

const object = (name: string, finalizers: readonly string[] = []): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'going', finalizers },
});

const said = (seen: Seen): Record<string, string> =>
  Object.fromEntries(conditionsOf(seen).map(({ type, status, message }) => [type, `${status}: ${message}`]));

test('an empty namespace has five conditions that say so', () => {
  const seen = { undiscovered: [], failures: [], remaining: [] };

  assert.equal(isEmpty(seen), true);
  assert.deepEqual(Object.values(said(seen)), [
    'False: All resources successfully discovered',
    'False: All legacy kube types successfully parsed',
    'False: All content successfully deleted, may be waiting on finalization',
    'False: All content successfully removed',
    'False: All content-preserving finalizers finished',
  ]);
});

test('what remains and the finalizers on it are counted by kind and by name', () => {
  const pods = [object('a', ['x/one', 'x/two']), object('b', ['x/one'])];

  const text = said({ undiscovered: [], failures: [], remaining: [{ plural: 'pods', group: '', objects: pods }] });

  assert.equal(text.NamespaceContentRemaining, 'True: Some resources are remaining: pods. has 2 resource instances');
  assert.equal(
    text.NamespaceFinalizersRemaining,
    'True: Some content in the namespace has finalizers remaining: x/one in 2 resource instances, x/two in 1 resource instances',
  );
});

test('a group that discovery cannot read and a kind that cannot be deleted both hold the namespace', () => {
  const undiscovered = { undiscovered: ['metrics.k8s.io/v1beta1'], failures: [], remaining: [] };
  const failing = { undiscovered: [], failures: ['secrets: 403 Forbidden'], remaining: [] };

  assert.equal(isEmpty(undiscovered), false);
  assert.match(said(undiscovered).NamespaceDeletionDiscoveryFailure ?? '', /^True: .* 1 failing: metrics\.k8s\.io/);
  assert.equal(isEmpty(failing), false);
  assert.match(said(failing).NamespaceDeletionContentFailure ?? '', /^True: .*secrets: 403 Forbidden/);
});

test('while Pods end nothing else was looked at, and the conditions name neither', () => {
  const pods = [object('a', ['x/one'])];
  const seen: Seen = {
    undiscovered: [],
    failures: [],
    remaining: [{ plural: 'pods', group: '', objects: pods }],
    isWaitingForPods: true,
  };

  assert.equal(isEmpty(seen), false);
  assert.equal(said(seen).NamespaceContentRemaining, 'False: All content successfully removed');
});
