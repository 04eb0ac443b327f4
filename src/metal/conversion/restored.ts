// What a v1beta1 object could not say and its note of the v1beta2 form still knows.

import { type Fields, fieldsAt, isFields, withMembers } from './steps.ts';

type Restore = (object: Fields, hub: Fields) => Fields;

/** `ready: false` may stand for "not said" (upstream always writes it): then the note decides. */
const provisioned: Restore = (object, hub) => {
  const status = fieldsAt(object, 'status');
  if (fieldsAt(status, 'initialization').provisioned !== false) return object;
  const said = fieldsAt(fieldsAt(hub, 'status'), 'initialization').provisioned;
  if (said === false) return object;
  return { ...object, status: withMembers(status, { initialization: undefined }) };
};

/** An empty checksum may stand for none. */
const checksum = (spec: Fields, hub: Fields): Fields => {
  const { image } = spec;
  if (!isFields(image) || image.checksum !== '' || fieldsAt(hub, 'image').checksum !== undefined) return spec;
  return { ...spec, image: withMembers(image, { checksum: undefined }) };
};

/** Labels and annotations of what a template makes are v1beta2's alone. */
const templateMetadata: Restore = (object, hub) => {
  const spec = fieldsAt(object, 'spec');
  const { metadata } = fieldsAt(fieldsAt(hub, 'spec'), 'template');
  return { ...object, spec: { ...spec, template: withMembers(fieldsAt(spec, 'template'), { metadata }) } };
};

const machineChecksum: Restore = (object, hub) =>
  isFields(object.spec) ? { ...object, spec: checksum(object.spec, fieldsAt(hub, 'spec')) } : object;

const templateChecksum: Restore = (object, hub) => {
  const spec = fieldsAt(object, 'spec');
  const template = fieldsAt(spec, 'template');
  if (!isFields(template.spec)) return object;
  const made = checksum(template.spec, fieldsAt(fieldsAt(fieldsAt(hub, 'spec'), 'template'), 'spec'));
  return { ...object, spec: { ...spec, template: { ...template, spec: made } } };
};

/** The kinds whose v1beta1 form carries the note. */
export const RESTORES: Readonly<Record<string, readonly Restore[]>> = {
  Metal3Cluster: [provisioned],
  Metal3ClusterTemplate: [templateMetadata],
  Metal3Machine: [provisioned, machineChecksum],
  Metal3MachineTemplate: [templateMetadata, templateChecksum],
};
