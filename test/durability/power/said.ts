// What the traced program writes and says: enough to know, from its trace alone, what each revision must hold.

import type { JsonObject } from '../../../src/apiserver/parts.ts';

/** One acknowledgement: a line of the program's output. */
export interface Said {
  readonly seq: number;
  readonly revision: number;
  readonly name: string;
  readonly removed: boolean;
}

/** Stands in the bytes of a write as it is, so that a trace shows which writes to a file carry it. */
const tokenOf = (seq: number): string => `@${seq}@`;

export function tokensIn(text: string): readonly number[] {
  return [...text.matchAll(/@(\d+)@/g)].map(match => Number(match[1]));
}

export function objectOf(name: string, seq: number, sizeBytes: number): JsonObject {
  const token = tokenOf(seq);
  const fill = `${seq}.`.repeat(Math.ceil(sizeBytes / `${seq}.`.length));
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name }, token, fill };
}

/** Whether the object is write `seq` and nothing else. */
export function isWrite(object: JsonObject, seq: number): boolean {
  const fill = String(object.fill);
  return object.token === tokenOf(seq) && fill === `${seq}.`.repeat(fill.length / `${seq}.`.length);
}
