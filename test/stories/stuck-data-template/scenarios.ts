// All scenarios of the report "Metal3DataTemplate deletion stuck, finalizer never cleared", on the embedded API in virtual time.

import type { Scenario } from '../telling/scenario.ts';
import { aroundIt } from './around.ts';
import { eightOrders } from './orders.ts';
import { theReport } from './report.ts';

export const scenarios: readonly Scenario[] = [...theReport, ...eightOrders, ...aroundIt];
