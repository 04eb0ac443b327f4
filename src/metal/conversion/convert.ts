// Objects of the nine Metal3 kinds in their other version, as upstream converts them: one function behind every API.

import { defineError } from '../../base/errors.ts';
import definitions from '../../kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import { cluster, clusterTemplate } from './cluster.ts';
import { data, dataClaim } from './data.ts';
import { dataTemplate } from './data-template.ts';
import { type EmptinessSchema, withoutEmpties } from './empties.ts';
import { hubDataOf, withHubData, withoutHubData } from './hub-data.ts';
import { machine, machineTemplate } from './machine.ts';
import { remediation, remediationTemplate } from './remediation.ts';
import { RESTORES } from './restored.ts';
import { type Fields, isFields, type Step } from './steps.ts';

const noSuchConversion = defineError('PIPPIN_E_METAL_CONVERSION_UNKNOWN', {
  retry: 'never',
  remedy: 'Ask for v1beta1 or v1beta2 of a Metal3 kind, or update Pippin if the kind has a newer version',
  says: (kind: string, from: string, to: string) => `${kind} cannot be converted from ${from} to ${to}`,
});

const GROUP = 'infrastructure.cluster.x-k8s.io';
const OLDER = `${GROUP}/v1beta1`;
const NEWER = `${GROUP}/v1beta2`;

const STEPS: Readonly<Record<string, Step>> = {
  Metal3Cluster: cluster,
  Metal3ClusterTemplate: clusterTemplate,
  Metal3Machine: machine,
  Metal3MachineTemplate: machineTemplate,
  Metal3DataTemplate: dataTemplate,
  Metal3DataClaim: dataClaim,
  Metal3Data: data,
  Metal3Remediation: remediation,
  Metal3RemediationTemplate: remediationTemplate,
};

/** The object as `toApiVersion` says it. Of its metadata, only the note of what v1beta1 cannot say may change. */
export function convertMetal(object: Fields, toApiVersion: string): Fields {
  const { kind, apiVersion } = object;
  const step = typeof kind === 'string' ? STEPS[kind] : undefined;
  if (apiVersion === toApiVersion) return object;
  if (step !== undefined && apiVersion === OLDER && toApiVersion === NEWER) return raised(object, String(kind), step);
  if (step !== undefined && apiVersion === NEWER && toApiVersion === OLDER) return lowered(object, String(kind), step);
  throw noSuchConversion(String(kind), String(apiVersion), toApiVersion);
}

function raised(object: Fields, kind: string, step: Step): Fields {
  const restores = RESTORES[kind];
  const made = step.up({ ...object, apiVersion: NEWER });
  const newer = withoutEmptyParts(made, kind);
  if (restores === undefined) return newer;
  const hub = hubDataOf(object);
  const whole = hub === undefined ? newer : restores.reduce((each, restore) => restore(each, hub), newer);
  return withoutHubData(whole);
}

function lowered(object: Fields, kind: string, step: Step): Fields {
  const made = step.down({ ...object, apiVersion: OLDER });
  return RESTORES[kind] === undefined ? made : withHubData(made, object);
}

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: unknown };
    }[];
  };
}

/** Of a definition of ours, whose shape a test holds. */
const isSchema = (value: unknown): value is EmptinessSchema => isFields(value);

function newerSchema({ spec: { names, versions } }: Definition): readonly [string, EmptinessSchema] {
  const schema = versions.find(({ storage }) => storage)?.schema.openAPIV3Schema;
  return [names.kind, isSchema(schema) ? schema : {}];
}

const SCHEMAS: ReadonlyMap<string, EmptinessSchema> = new Map(definitions.map(newerSchema));

const withoutEmptyParts = (object: Fields, kind: string): Fields => withoutEmpties(object, SCHEMAS.get(kind) ?? {});
