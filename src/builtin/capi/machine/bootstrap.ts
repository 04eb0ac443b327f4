// The data that turns a host into a Node: given as a Secret, made by a bootstrap provider, or not needed.

import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import type { KubeWorld, Step } from '../../../kube/controller.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { ensureBelongs, ownerReference } from '../ownership.ts';
import { keyIn, lookUp } from '../provider/lookup.ts';
import { excuseOf, hasBootstrapData } from '../provider/object.ts';
import { waitTarget } from '../provider/references.ts';
import type { MachineOptions } from './world.ts';

const READY = { initialization: { bootstrapDataSecretCreated: true } };

export function bootstrap(options: MachineOptions): Step<Machine, KubeWorld> {
  return {
    condition: 'BootstrapConfigReady',
    run: async (machine, world) => {
      const { configRef } = machine.spec.bootstrap;
      if (configRef === undefined) return done({ status: READY });
      const { namespace = '' } = machine.metadata;
      const sought = await lookUp(configRef, { namespace, world, watched: options.watched });
      if (sought.kind === 'noSuchKind') return waitForKind(configRef.kind, options);
      const target = waitTarget(sought.as.kind, keyIn(sought.as, configRef.name, namespace), options.watched);
      if (sought.kind === 'absent') {
        return wait(target, `${configRef.kind} ${configRef.name} to exist`, options.recheckMs, {
          reason: 'DoesNotExist',
        });
      }
      const config = await ensureBelongs(
        sought.as.kind,
        sought.object,
        {
          owner: ownerReference(Machine, machine, 'controller'),
          labels: { [CLUSTER_NAME_LABEL]: machine.spec.clusterName },
        },
        world,
      );
      const dataSecretName = config.status?.dataSecretName;
      if (!hasBootstrapData(config, sought.as.contract) || dataSecretName === undefined) {
        return wait(
          target,
          `${configRef.kind} ${configRef.name} to make the data${excuseOf(config)}`,
          options.recheckMs,
          {
            reason: 'NotReady',
          },
        );
      }
      return done({ spec: { bootstrap: { dataSecretName } }, status: READY });
    },
  };
}

/** A kind that nobody serves yet: its provider is not installed. */
export function waitForKind(kind: string, options: Pick<MachineOptions, 'recheckMs'>): Outcome {
  return wait({ kind: CustomResourceDefinition, name: kind }, `a CRD for the kind ${kind}`, options.recheckMs, {
    reason: 'NoSuchKind',
  });
}
