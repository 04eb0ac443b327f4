// Certificate signing requests: they say who asked, whatever the client wrote, and what was asked never changes.

import type { JsonObject } from '../parts.ts';
import { objectAt } from '../rules/json.ts';
import type { Strategy } from './strategy.ts';

export const signingRequests: Strategy = {
  prepareCreate: (object, call) => {
    const { name, uid, groups, extra } = call.identity;
    const asker: JsonObject = {
      username: name,
      groups: [...groups],
      ...(uid === undefined || uid === '' ? {} : { uid }),
      ...(extra === undefined ? {} : { extra: JSON.parse(JSON.stringify(extra)) }),
    };
    const { uid: _uid, extra: _extra, ...asked } = objectAt(object, 'spec');
    return { ...object, spec: { ...asked, ...asker }, status: {} };
  },
  prepareUpdate: (object, old) => ({ ...object, spec: objectAt(old, 'spec') }),
};
