// All scenarios of the report "macOS machine deletion strands tart pods in Terminating", on the embedded API in virtual time.

import type { Scenario } from '../telling/scenario.ts';
import { eachCallOf } from './each-call.ts';
import { hostsAndHistory } from './hosts-and-history.ts';
import { machineGoes } from './machine-goes.ts';
import { nodeGoes } from './node-goes.ts';

export const scenarios: readonly Scenario[] = [...machineGoes, ...nodeGoes, ...hostsAndHistory, ...eachCallOf];
