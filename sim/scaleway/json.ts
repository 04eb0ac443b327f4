// The simulated Scaleway's objects as its HTTP API writes them: snake case, every field that the SDK reads.

import type { Refusal } from './faults.ts';
import type { ScalewayState, SimImage, SimKey, SimServer } from './state.ts';

type Json = Record<string, unknown>;

export function serverJson(server: SimServer, state: ScalewayState): Json {
  const image = state.images.find(each => each.id === server.imageId);
  const password = passwordFields(server);
  return {
    id: server.id,
    type: server.type,
    name: server.name,
    project_id: state.projectId,
    organization_id: state.organizationId,
    ip: server.ip,
    vnc_url: password.vncUrl,
    vnc_port: 5900,
    ssh_username: 'm1',
    sudo_password: password.sudoPassword,
    os: image === undefined ? null : imageJson(image),
    status: server.status,
    created_at: new Date(server.createdAtMs).toISOString(),
    updated_at: new Date(server.createdAtMs).toISOString(),
    deletable_at: new Date(server.createdAtMs + 24 * 3_600_000).toISOString(),
    deletion_scheduled: false,
    zone: server.zone,
    delivered: server.delivered,
    vpc_status: 'vpc_disabled',
    public_bandwidth_bps: 1_000_000_000,
    tags: [],
  };
}

/** Where the password shows (mac-F35): percent-encoded in the URL, or as the marker that stands for none (mac-F36). */
export function passwordFields(server: SimServer): { readonly sudoPassword: string; readonly vncUrl: string } {
  const { passwordIn, sudoPassword, ip } = server;
  const urlWith = (password: string): string => `vnc://m1:${password}@${ip}:5900`;
  switch (passwordIn) {
    case 'sudo_password':
      return { sudoPassword, vncUrl: urlWith(encodeURIComponent(sudoPassword)) };
    case 'vnc_url':
      return { sudoPassword: '', vncUrl: urlWith(encodeURIComponent(sudoPassword)) };
    case 'sealed':
      return { sudoPassword: '<sealed>', vncUrl: urlWith('%3Csealed%3E') };
    case 'nowhere':
      return { sudoPassword: '', vncUrl: `vnc://m1@${ip}:5900` };
  }
}

export function imageJson(image: SimImage): Json {
  return {
    id: image.id,
    name: image.name,
    label: image.label,
    image_url: '',
    family: image.family,
    is_beta: false,
    version: image.version,
    xcode_version: '',
    compatible_server_types: image.serverTypes,
    release_notes_url: '',
    description: image.label,
    tags: [],
    supported_server_types: image.serverTypes.map(type => ({ server_type: type, fast_delivery_available: true })),
  };
}

export function keyJson(key: SimKey, state: ScalewayState): Json {
  return {
    id: key.id,
    name: key.name,
    public_key: key.publicKey,
    fingerprint: '',
    created_at: null,
    updated_at: null,
    organization_id: state.organizationId,
    project_id: state.projectId,
    disabled: false,
  };
}

/** An error body as the SDK tells kinds apart. */
export function refusalJson(refusal: Refusal): Json {
  const { type, resource, resourceId, currentState } = refusal;
  const base = { type, message: type.replaceAll('_', ' ') };
  if (type === 'not_found') return { ...base, resource, resource_id: resourceId };
  if (type === 'transient_state') return { ...base, resource, resource_id: resourceId, current_state: currentState };
  if (type === 'denied_authentication') return { ...base, method: 'api_key', reason: 'not_found' };
  if (type === 'permissions_denied') return { ...base, details: [{ resource: 'apple_silicon', action: 'write' }] };
  return base;
}
