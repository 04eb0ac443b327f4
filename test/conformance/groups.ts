// The suite: which cases are in which group.

import type { Case, Group } from './frame/case.ts';

/** Loaded group by group: whoever works on one does not wait for all. */
export const casesOf: Readonly<Record<Group, () => Promise<readonly Case[]>>> = {
  verbs: async () => (await import('./verbs/index.ts')).cases,
  reading: async () => (await import('./reading/index.ts')).cases,
  formats: async () => (await import('./formats/index.ts')).cases,
  deleting: async () => (await import('./deleting/index.ts')).cases,
  patching: async () => (await import('./patching/index.ts')).cases,
  crds: async () => (await import('./crds/index.ts')).cases,
  builtin: async () => (await import('./builtin/index.ts')).cases,
  pods: async () => (await import('./pods/index.ts')).cases,
  kinds: async () => (await import('./kinds/index.ts')).cases,
  access: async () => (await import('./access/index.ts')).cases,
  webhooks: async () => (await import('./webhooks/index.ts')).cases,
};
