// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { accounts } from './accounts.ts';
import { admission } from './admission.ts';
import { autoscalers } from './autoscalers.ts';
import { disruption } from './disruption.ts';
import { events } from './events.ts';
import { ingresses } from './ingresses.ts';
import { logs } from './logs.ts';
import { networkPolicies } from './network-policies.ts';
import { nodes } from './nodes.ts';
import { olderKinds } from './older-kinds.ts';
import { ownObjects } from './own-objects.ts';
import { pods } from './pods.ts';
import { proxies } from './proxies.ts';
import { serverObjects } from './server-objects.ts';
import { serviceRules } from './service-rules.ts';
import { services } from './services.ts';
import { standards } from './standards.ts';
import { streams } from './streams.ts';
import { toldEvents } from './told-events.ts';
import { volumes } from './volumes.ts';
import { workloads } from './workloads.ts';

export const cases: readonly Case[] = [
  ...logs,
  ...streams,
  ...pods,
  ...proxies,
  ...disruption,
  ...services,
  ...accounts,
  ...nodes,
  ...workloads,
  ...admission,
  ...events,
  ...standards,
  ...autoscalers,
  ...ingresses,
  ...networkPolicies,
  ...olderKinds,
  ...serviceRules,
  ...volumes,
  ...serverObjects,
  ...ownObjects,
  ...toldEvents,
];
