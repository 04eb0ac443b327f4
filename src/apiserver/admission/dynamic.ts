// What clients configured for admission: webhooks and policies, kept ready, and out of the way of what they do not concern.

import type { Call } from '../core.ts';
import type { JsonObject, Resource, Stored } from '../parts.ts';
import { sameJson } from '../rules/json.ts';
import type { Store } from '../store.ts';
import { judgedByPolicies } from './judging.ts';
import { mutatedByWebhooks, type Reread } from './mutating.ts';
import { mutatedByPolicies } from './mutating-by-policy.ts';
import { type MutatingPolicy, mutatingPoliciesIn, type Policy, policiesIn } from './policies.ts';
import type { AdmissionRequest } from './request.ts';
import { type MatchRules, matchedAs, type Operation } from './rules.ts';
import type { ServerPlugin } from './server-plugins.ts';
import { validatedByWebhooks } from './validating.ts';
import { type Webhook, webhooksIn } from './webhooks.ts';

const GROUP = 'admissionregistration.k8s.io';
const MUTATING = `mutatingwebhookconfigurations.${GROUP}`;
const VALIDATING = `validatingwebhookconfigurations.${GROUP}`;

/** What has a say in one request. */
export interface Concern {
  /** The object as the mutating ones leave it; `reread` is given what a patch made. */
  mutate(request: AdmissionRequest, reread: Reread): Promise<JsonObject | undefined>;
  /** Refuses by throwing. */
  validate(request: AdmissionRequest): Promise<void>;
}

interface Configured {
  readonly policies: readonly Policy[];
  readonly mutating: readonly Webhook[];
  readonly validating: readonly Webhook[];
  readonly mutatingPolicies: readonly MutatingPolicy[];
  readonly isEmpty: boolean;
}

function configured(all: Omit<Configured, 'isEmpty'>): Configured {
  const { mutating, validating, policies, mutatingPolicies } = all;
  return { ...all, isEmpty: mutating.length + validating.length + policies.length + mutatingPolicies.length === 0 };
}

function concernOf({ mutating, validating, policies, mutatingPolicies }: Configured): Concern {
  return {
    mutate: async (request, reread) => {
      const object = mutatedByPolicies(request, mutatingPolicies, reread);
      const later = await mutatedByWebhooks({ ...request, object }, mutating, reread);
      if (sameJson(later, object)) return later;
      const again = mutatingPolicies.filter(({ isReinvoked }) => isReinvoked);
      return mutatedByPolicies({ ...request, object: later }, again, reread);
    },
    validate: async request => {
      judgedByPolicies(request, policies);
      await validatedByWebhooks(request, validating);
    },
  };
}

export class DynamicAdmission {
  readonly #stored: Stored;
  readonly #off: readonly ServerPlugin[];
  #configured: Configured | undefined;

  constructor(stored: Stored, store: Pick<Store, 'onChange'>, off: readonly ServerPlugin[] = []) {
    this.#stored = stored;
    this.#off = off;
    store.onChange(({ row }) => {
      if (row.storage.endsWith(GROUP)) this.#configured = undefined;
    });
  }

  /** Undefined, at the price of a glance, where nobody has a say: that is nearly always. */
  concerning(call: Call, operation: Operation): Concern | undefined {
    const all = this.#now();
    if (all.isEmpty) return undefined;
    // Whoever could refuse the removal of a broken configuration could lock a cluster up for good.
    if (call.resource.group === GROUP) return undefined;
    const isConcerned = ({ match }: { readonly match: MatchRules }): boolean => concerns(match, call, operation);
    const concerned = configured({
      mutating: all.mutating.filter(isConcerned),
      validating: all.validating.filter(isConcerned),
      policies: all.policies.filter(isConcerned),
      mutatingPolicies: all.mutatingPolicies.filter(isConcerned),
    });
    return concerned.isEmpty ? undefined : concernOf(concerned);
  }

  #now(): Configured {
    const unlessOff = <T>(plugin: ServerPlugin, read: () => readonly T[]): readonly T[] =>
      this.#off.includes(plugin) ? [] : read();
    this.#configured ??= configured({
      mutating: unlessOff('MutatingAdmissionWebhook', () => webhooksIn(this.#stored, MUTATING)),
      validating: unlessOff('ValidatingAdmissionWebhook', () => webhooksIn(this.#stored, VALIDATING)),
      policies: unlessOff('ValidatingAdmissionPolicy', () => policiesIn(this.#stored)),
      mutatingPolicies: mutatingPoliciesIn(this.#stored),
    });
    return this.#configured;
  }
}

function concerns(match: MatchRules, { core, resource, path }: Call, operation: Operation): boolean {
  const equivalents = (): readonly Resource[] => core.registry.equivalentsOf(resource, path.subresource);
  return matchedAs(match, { resource, subresource: path.subresource, operation }, equivalents) !== undefined;
}
