// What a bare API needs to be a cluster, as controllers ready to be started. On a real cluster they stay off.

import { seconds } from '../base/clock.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { keyController, periodic, type Runnable } from '../kube/run.ts';
import { namespaceDefaults } from './accounts/defaults.ts';
import { accountTokens, type TokenSubject } from './accounts/tokens.ts';
import { type NodeCertificateSigner, nodeCertificates } from './certificates/controller.ts';
import { disruption } from './disruption/controller.ts';
import { garbageCollector } from './garbage/controller.ts';
import { namespaceDeletion } from './namespaces/controller.ts';
import { taintEviction } from './nodes/eviction.ts';
import { nodeLifecycle } from './nodes/lifecycle.ts';
import { podGarbageCollector } from './pod-gc/controller.ts';
import { roleAggregation } from './roles/aggregation.ts';
import { scheduler } from './scheduler/controller.ts';
import { type Content, contentOf } from './served/content.ts';
import type { Discovery } from './served/discovery.ts';
import { type Timing, timingOf } from './timing.ts';

export { type CapiOptions, capiControllers } from './capi/index.ts';
export { discoveryOf } from './served/discovery.ts';

export interface BuiltinOptions {
  /** Which kinds are served: the garbage collector and namespace deletion look at all of them. */
  readonly discovery: Discovery;
  /** Makes the token of a Secret of type `kubernetes.io/service-account-token`. */
  readonly mintToken: (subject: TokenSubject) => Promise<string>;
  readonly signer: NodeCertificateSigner;
  /** PEM of the certificate by which the API is known, for Pods and token Secrets. */
  readonly rootCaPem?: string;
  readonly timing?: Partial<Timing>;
}

export function builtinControllers(options: BuiltinOptions): readonly Runnable<KubeWorld>[] {
  const timing = timingOf(options.timing);
  const { discovery } = options;
  const content = sharedContent(discovery);
  const { recheckMs, quietStartMs, missedLeasesMs, nodeStartupMs } = timing;
  const ca = options.rootCaPem === undefined ? {} : { rootCaPem: options.rootCaPem };
  return [
    periodic(garbageCollector({ content, resyncMs: timing.garbageResyncMs, everyMs: seconds(1) })),
    keyController(namespaceDeletion({ discovery, content, recheckMs: seconds(5) })),
    periodic(
      podGarbageCollector({
        everyMs: timing.podGcEveryMs,
        quarantineMs: timing.podGcQuarantineMs,
        terminatedThreshold: timing.terminatedPodThreshold,
      }),
    ),
    keyController(nodeLifecycle({ missedLeasesMs, startupMs: nodeStartupMs, quietStartMs, recheckMs })),
    keyController(taintEviction({ quietStartMs })),
    keyController(scheduler({ recheckMs })),
    keyController(namespaceDefaults({ ...ca, recheckMs })),
    keyController(accountTokens({ ...ca, mint: options.mintToken })),
    keyController(
      nodeCertificates({ signer: options.signer, longestMs: timing.nodeCertificateMs, keptMs: timing.requestKeptMs }),
    ),
    keyController(roleAggregation()),
    keyController(disruption({ recheckMs })),
  ];
}

/** One view of everything for all who need it: made when the first asks, over the caches of the process. */
function sharedContent(discovery: Discovery): (world: KubeWorld) => Content {
  let content: Content | undefined;
  return world => {
    content ??= contentOf(world.caches, discovery);
    return content;
  };
}
