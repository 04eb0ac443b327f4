// AdmissionReview: the verdicts that need more than a definition or a policy can know, which are those on pools of addresses.

import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a pool, each text with its field first; `before` is the pool as it was, where it was. */
export type PoolVerdict = (pool: IPPool, before: IPPool | undefined) => Promise<readonly string[]>;

const API_VERSION = 'admission.k8s.io/v1';

/** The answer to a review: everything is let through but a pool with a fault. */
export async function admitMetal(review: unknown, faultsOf: PoolVerdict): Promise<Fields> {
  const request = fieldsAt(review, 'request');
  const { uid = '' } = request;
  return {
    apiVersion: API_VERSION,
    kind: 'AdmissionReview',
    response: { uid, ...(await verdictOn(request, faultsOf)) },
  };
}

const ALLOWED = { allowed: true };

async function verdictOn({ operation, object, oldObject }: Fields, faultsOf: PoolVerdict): Promise<Fields> {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return ALLOWED;
  if (!isFields(object) || object.kind !== 'IPPool') return ALLOWED;
  if (operation === 'UPDATE' && !isFields(oldObject)) {
    return refused(500, 'InternalError', 'IPPool: the review of an update lacks the object as it was');
  }
  if (!isPool(object)) return refused(422, 'Invalid', 'IPPool: the object has no metadata.name');
  // Whoever takes a finalizer off must not be held up by a pool that has been wrong all along.
  if (object.metadata.deletionTimestamp !== undefined) return ALLOWED;
  const faults = await faultsOf(object, isPool(oldObject) ? oldObject : undefined);
  if (faults.length === 0) return ALLOWED;
  return refused(422, 'Invalid', `IPPool "${object.metadata.name}" is invalid: ${faults.join(', ')}`);
}

const refused = (code: number, reason: string, message: string): Fields => ({
  allowed: false,
  status: { status: 'Failure', code, reason, message },
});

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsAt = (value: unknown, name: string): Fields => {
  const inner = isFields(value) ? value[name] : undefined;
  return isFields(inner) ? inner : {};
};

/** The API server has checked the object against its definition before it asks. */
const isPool = (value: unknown): value is IPPool =>
  isFields(value) && typeof fieldsAt(value, 'metadata').name === 'string';
