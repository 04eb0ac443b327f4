// Installs our kinds' definitions on a cluster, and waits until each is served.

import { seconds } from '../base/clock.ts';
import { defineError } from '../base/errors.ts';
import macDefinitions from '../kinds/generated/definitions.generated.json' with { type: 'json' };
import metalDefinitions from '../kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import metalStandIns from '../kinds/generated/metal-stand-ins.generated.json' with { type: 'json' };
import type { Api } from '../kube/api.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { CustomResourceDefinition } from '../kube/core/other.ts';

const notEstablished = defineError('PIPPIN_E_DEFINITION_NOT_ESTABLISHED', {
  retry: 'backoff',
  remedy: 'Look at its conditions: kubectl describe crd NAME',
  says: (name: string) => `The API server does not serve ${name} 30 s after its definition was installed`,
});

const foreignDefinition = defineError('PIPPIN_E_DEFINITION_FOREIGN', {
  retry: 'never',
  remedy: 'Leave it as it is: whoever installed it looks after its kind, and ours would drop fields of its objects',
  says: (name: string) => `${name} is somebody else's definition, and ours is thinner`,
});

const ESTABLISHED_WITHIN_MS = seconds(30);
const POLL_MS = 100;

const SETS = {
  /** The Mac provider's, and those of the Cluster API kinds that we serve where Cluster API itself is not. */
  mac: macDefinitions,
  /** The Metal3 provider's and its address manager's. */
  metal: metalDefinitions,
  /** Kinds of others that these work with: for the embedded API alone, they are thinner than the originals. */
  'stand-ins for metal': metalStandIns,
} satisfies Readonly<Record<string, readonly CustomResourceDefinition[]>>;

export type DefinitionSet = keyof typeof SETS;

/** What the Mac provider needs, unless told otherwise. */
const USUAL: readonly DefinitionSet[] = ['mac'];

export function definitionsOf(sets: readonly DefinitionSet[] = USUAL): readonly CustomResourceDefinition[] {
  return sets.flatMap((set): readonly CustomResourceDefinition[] => SETS[set]);
}

/** Applies the definitions and resolves once all are served. */
export async function installDefinitions(
  { api, clock }: Pick<KubeWorld, 'api' | 'clock'>,
  sets: readonly DefinitionSet[] = USUAL,
): Promise<void> {
  const definitions = definitionsOf(sets);
  if (sets.includes('stand-ins for metal')) await assertNoOriginals(api);
  await Promise.all(definitions.map(each => apply(api, each)));
  const untilMs = clock.monotonic() + ESTABLISHED_WITHIN_MS;
  for (const { metadata } of definitions) {
    while (!(await isEstablished(api, metadata.name))) {
      if (clock.monotonic() >= untilMs) throw notEstablished(metadata.name);
      await clock.sleep(POLL_MS);
    }
  }
}

const OURS = 'pippin';

/** A thin definition over the real one would prune what the real one keeps: `raid` and `firmware` of a host. */
async function assertNoOriginals(api: Api): Promise<void> {
  for (const { metadata } of definitionsOf(['stand-ins for metal'])) {
    const found = await api.find(CustomResourceDefinition, { name: metadata.name });
    const entries = (found?.metadata.managedFields ?? []) as readonly { readonly manager?: string }[];
    if (found !== undefined && !entries.some(({ manager }) => manager === OURS)) throw foreignDefinition(metadata.name);
  }
}

function apply(api: Api, definition: CustomResourceDefinition): Promise<unknown> {
  const { name } = definition.metadata;
  return api.patch(CustomResourceDefinition, { name }, definition, {
    type: 'apply',
    fieldManager: OURS,
    force: true,
  });
}

export async function isEstablished(api: Api, name: string): Promise<boolean> {
  const { status } = await api.get(CustomResourceDefinition, { name });
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}
