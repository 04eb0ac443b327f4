// A sequence of writes by several owners, for tests.

import type { JsonObject } from '../../parts.ts';

export interface Write {
  readonly by: string;
  readonly how: 'create' | 'apply' | 'force' | 'merge' | 'status' | 'apply status';
  readonly body: JsonObject;
}

export interface Scenario {
  readonly says: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** In namespace `default` unless told otherwise. */
  readonly cluster?: true;
  /** The CRD of a custom kind. */
  readonly definition?: JsonObject;
  readonly writes: readonly Write[];
}
