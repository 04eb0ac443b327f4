// The hardware address of a link: the template's own, that of an interface of the host, or that of an annotation.

import { macOfInterface } from './host-interfaces.ts';
import type { Links, RenderingInput } from './input.ts';
import { renderingRefused } from './refused.ts';
import { annotationOf } from './source-objects.ts';

type MacSource = NonNullable<Links['ethernets']>[number]['macAddress'];

const MAC = /^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/;

/** Undefined where the template names none. */
export function macOfLink(source: MacSource | undefined, input: RenderingInput, field: string): string | undefined {
  const named = namedBy(source ?? {}, input, field);
  if (named === undefined || MAC.test(named.mac)) return named?.mac;
  throw renderingRefused(named.field, `"${named.mac}" is no MAC address`);
}

interface NamedMac {
  readonly mac: string;
  readonly field: string;
}

function namedBy(source: MacSource, input: RenderingInput, field: string): NamedMac | undefined {
  const { string: literal = '', fromHostInterface: nic = '', fromAnnotation } = source;
  if (literal !== '') return { mac: literal, field: `${field}.string` };
  if (nic !== '') {
    const at = `${field}.fromHostInterface`;
    return { mac: macOfInterface(input.host, nic, at), field: `${at} "${nic}"` };
  }
  if (fromAnnotation === undefined) return undefined;
  const at = `${field}.fromAnnotation`;
  return { mac: annotationOf(fromAnnotation, input, at), field: `${at}.annotation "${fromAnnotation.annotation}"` };
}
