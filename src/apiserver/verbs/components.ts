// The components whose state this server knows: its store, by what it answers itself. Others are probed by nobody here.

import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor, acceptedForList, presentObject, presentObjects } from '../answer/present.ts';
import { methodNotAllowed, notFound, notSupported } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';

const STORE: JsonObject = {
  apiVersion: 'v1',
  kind: 'ComponentStatus',
  metadata: { name: 'etcd-0' },
  conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
};

export function answerComponents(call: Call): ApiResponse {
  const { attributes, path, resource } = call;
  if (attributes.verb === 'watch') throw notSupported('watch', { group: '', resource: resource.plural });
  if (attributes.verb === 'list') return presentObjects(call, [STORE], {}, acceptedForList(call));
  if (attributes.verb !== 'get') throw methodNotAllowed();
  const accepted = acceptedFor(call);
  if (path.name !== 'etcd-0') throw notFound({ group: '', resource: 'componentstatus', name: path.name });
  return presentObject(call, STORE, 200, accepted);
}
