// The routes of a network: where they lead, through which gateway, and with which name servers.

import type { YamlMap } from '../../base/yaml/document.ts';
import type { RenderingInput, Route, SourceObjects } from './input.ts';
import { type Family, netmask } from './netmask.ts';
import { addressFrom, type ChosenPool, chosenPool } from './pool-choice.ts';
import { renderServices } from './services.ts';

interface Around {
  readonly input: RenderingInput;
  /** Where the routes stand in the template. */
  readonly field: string;
}

export function renderRoutes(routes: readonly Route[], family: Family, { input, field }: Around): YamlMap[] {
  return routes.map((route, index) => {
    const at = `${field}[${index}]`;
    return {
      network: route.network,
      netmask: netmask(route.prefix ?? 0, family, `${at}.prefix`),
      gateway: gatewayOf(route, input, at),
      services: renderServices(route.services, input.addresses, `${at}.services`),
    };
  });
}

/** Empty where none is named. */
function gatewayOf(route: Route, input: RenderingInput, field: string): string {
  const { string: literal = '' } = route.gateway ?? {};
  if (literal !== '') return literal;
  const chosen = poolOfGateway(route, input, field);
  return chosen === undefined ? '' : (addressFrom(input.addresses, chosen.pool.name, chosen.field).gateway ?? '');
}

/** The pool that the gateway of a route comes from. */
export const poolOfGateway = ({ gateway }: Route, objects: SourceObjects, field: string): ChosenPool | undefined =>
  chosenPool({ ...gateway, named: { by: 'fromIPPool', name: gateway?.fromIPPool } }, objects, `${field}.gateway`);
