// Metal3Cluster and Metal3ClusterTemplate in both versions.

import { clusterApiStatus } from './status.ts';
import { at, type Fields, filled, inOrder, isFields, type Step, told, withMembers } from './steps.ts';

/** v1beta1 has a map by name, v1beta2 a list in the order of names. */
const failureDomains = told('failureDomains', {
  up: map =>
    isFields(map)
      ? Object.keys(map)
          .sort()
          .map(name => ({ name, ...(isFields(map[name]) ? map[name] : {}) }))
      : map,
  down: list =>
    Array.isArray(list)
      ? Object.fromEntries(
          list
            .filter(isFields)
            .map((each): [string, Fields] => [String(each.name), withMembers(each, { name: undefined })]),
        )
      : list,
});

/** v1beta1 says it in two ways, of which v1beta2 has one; where only the older way is used, it is heard. */
const cloudProvider: Step = {
  up: ({ noCloudProvider, ...spec }) =>
    spec.cloudProviderEnabled === undefined && typeof noCloudProvider === 'boolean'
      ? { ...spec, cloudProviderEnabled: !noCloudProvider }
      : spec,
  down: spec =>
    typeof spec.cloudProviderEnabled === 'boolean' ? { ...spec, noCloudProvider: !spec.cloudProviderEnabled } : spec,
};

const spec = inOrder(at('controlPlaneEndpoint', filled({ host: '', port: 0 })), failureDomains, cloudProvider);

export const cluster: Step = inOrder(at('spec', spec), at('status', inOrder(failureDomains, clusterApiStatus)));

export const clusterTemplate: Step = at('spec', at('template', at('spec', spec)));
