// deletecollection: every selected object of the collection, each by the rules of a single delete.

import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedForList } from '../answer/present.ts';
import { Refusal } from '../answer/status.ts';
import type { Call } from '../core.ts';
import { listOptions } from '../request/list-options.ts';
import type { Row } from '../store.ts';
import { deleted } from './delete.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import { warnOfOrphans } from './propagation.ts';
import { presentPage, selectPage } from './read.ts';

export async function deleteCollection(call: Call): Promise<ApiResponse> {
  const accepted = acceptedForList(call);
  const options = deleteOptions(call);
  const page = selectPage(call, listOptions(call.query, call.resource));
  warnOfOrphans(call, options);
  for (const row of page.rows) await deleteOne(callFor(call, row), options);
  return presentPage(call, page, accepted);
}

/** Somebody else may have deleted it meanwhile. */
async function deleteOne(call: Call, options: DeleteOptions): Promise<void> {
  try {
    await deleted(call, options);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status.reason !== 'NotFound') throw error;
  }
}

function callFor(call: Call, { name, namespace }: Row): Call {
  return { ...call, path: { ...call.path, name, namespace }, attributes: { ...call.attributes, name, namespace } };
}
