// The status of clusters and machines: v1beta1's words live on under `deprecated`, and its `v1beta2` part is the status itself.

import { type Fields, fieldsAt, type Step, withMembers } from './steps.ts';

const LEGACY = ['conditions', 'failureMessage', 'failureReason'] as const;

/** `ready` and `initialization.provisioned` are the same fact. */
export const clusterApiStatus: Step = {
  up: status => {
    const legacy = picked(status, LEGACY);
    const told = withMembers(status, { ready: undefined, v1beta2: undefined, ...emptied(LEGACY) });
    const { conditions } = fieldsAt(status, 'v1beta2');
    return withMembers(told, {
      conditions,
      initialization: status.ready === undefined ? undefined : { provisioned: status.ready },
      deprecated: isEmpty(legacy) ? undefined : { v1beta1: legacy },
    });
  },
  down: status => {
    const { conditions } = status;
    const told = withMembers(status, { conditions: undefined, initialization: undefined, deprecated: undefined });
    return withMembers(told, {
      ...picked(fieldsAt(fieldsAt(status, 'deprecated'), 'v1beta1'), LEGACY),
      ready: fieldsAt(status, 'initialization').provisioned,
      v1beta2: conditions === undefined ? undefined : { conditions },
    });
  },
};

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0;

const picked = (fields: Fields, names: readonly string[]): Fields =>
  withMembers({}, Object.fromEntries(names.map(name => [name, fields[name]])));

const emptied = (names: readonly string[]): Fields => Object.fromEntries(names.map(name => [name, undefined]));
