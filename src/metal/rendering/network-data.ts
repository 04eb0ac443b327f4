// The network data of a host, shaped like OpenStack's network_data.json: links, networks, name servers (metal-R2).

import type { RenderingInput } from './input.ts';
import { sectionYaml } from './json-step.ts';
import { renderLinks } from './links.ts';
import { renderNetworks } from './networks.ts';
import { renderServices } from './services.ts';

/** Undefined where the template has no such section. */
export function renderNetworkData(input: RenderingInput): string | undefined {
  const section = input.template.spec?.networkData;
  if (section === undefined) return undefined;
  const rendered = {
    links: renderLinks(section.links, input),
    networks: renderNetworks(section.networks, input),
    services: renderServices(section.services, input.addresses, 'spec.networkData.services'),
  };
  return sectionYaml(rendered, 'networkData');
}
