// Many odd Pods at one door, each asked for in a dry run: of what is refused every cause counts, of what is taken how it came out.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Told } from '../frame/trial.ts';

/** What is odd, the fields of its spec, and those of its metadata. */
type Row = readonly [what: string, spec: object, metadata?: object];

/** The one container of a Pod, with something odd. */
export const main = (more: object): object => ({
  containers: [{ name: 'main', image: 'example.com/main:1', ...more }],
});

/** The same before the one that is sound. */
export const init = (more: object): object => ({
  initContainers: [{ name: 'init', image: 'example.com/init:1', ...more }],
});

export const odd = (says: string, ...rows: readonly Row[]): Case => ({
  says,
  steps: async t => {
    const path = `${await podsIn(t)}?dryRun=All`;
    for (const [what, spec, metadata = {}] of rows) {
      const answer = await t.quietly({ method: 'POST', path, body: aPod('p', spec, metadata) });
      t.note(what, refusal(answer) ?? taken(answer, Object.keys(spec)));
    }
  },
});

const labels = { app: 'a' };
const selector = { matchLabels: labels };

interface Maker {
  readonly plural: string;
  readonly api: string;
  readonly restartPolicy?: string;
  /** The spec around a template. */
  readonly around: (template: object) => object;
}

const job: Maker = {
  plural: 'jobs',
  api: '/apis/batch/v1',
  restartPolicy: 'Never',
  around: template => ({ template }),
};
const deployment: Maker = {
  plural: 'deployments',
  api: '/apis/apps/v1',
  around: template => ({ selector, template }),
};

/** Whoever makes Pods of every kind, in its own way. */
export const MAKERS: readonly Maker[] = [
  deployment,
  { ...deployment, plural: 'replicasets' },
  { ...deployment, plural: 'daemonsets' },
  { ...deployment, plural: 'statefulsets', around: template => ({ selector, template, serviceName: 's' }) },
  { plural: 'replicationcontrollers', api: '/api/v1', around: template => ({ selector: labels, template }) },
  job,
  {
    ...job,
    plural: 'cronjobs',
    around: template => ({ schedule: '@hourly', jobTemplate: { spec: { template } } }),
  },
];

/** The same Pods as templates: what a controller would make of them is told at once. */
export const oddTemplates = (says: string, ...rows: readonly Row[]): Case =>
  oddTemplatesOf([deployment, job], says, ...rows);

export const oddTemplatesOf = (makers: readonly Maker[], says: string, ...rows: readonly Row[]): Case => ({
  says,
  steps: async t => {
    for (const { plural, api, restartPolicy, around } of makers) {
      const path = `${await t.in(plural, api)}?dryRun=All`;
      const also = restartPolicy === undefined ? {} : { restartPolicy };
      for (const [what, spec, metadata = {}] of rows) {
        const template = aPod('p', { ...also, ...spec }, { labels, ...metadata });
        const body = { metadata: { name: 'p' }, spec: around(template) };
        const answer = await t.quietly({ method: 'POST', path, body });
        t.note(`${plural}: ${what}`, refusal(answer) ?? [answer.status, ...warnings(answer), ...made(answer, spec)]);
      }
    }
  },
});

/** What came of the odd fields of a template. */
function made({ json }: Told, spec: object): readonly unknown[] {
  const { template } = json.spec.jobTemplate?.spec ?? json.spec;
  return [Object.fromEntries(Object.keys(spec).map(key => [key, template.spec[key] ?? null]))];
}

/** What is odd in a change, the part of the Pod that it is made through, and the merge patch. */
type Change = readonly [what: string, part: string, patch: object];

export const oddChanges = (
  says: string,
  pod: { spec?: object; metadata?: object; status?: object },
  ...rows: readonly Change[]
): Case => ({
  says,
  steps: async t => {
    const pods = await podsIn(t);
    await t.quietly({ method: 'POST', path: pods, body: aPod('p', pod.spec, pod.metadata) });
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const { status } = pod;
    if (status !== undefined) {
      await t.quietly({ method: 'PATCH', path: `${pods}/p/status`, headers, body: { status } });
    }
    for (const [what, part, body] of rows) {
      const path = `${pods}/p${part}?dryRun=All`;
      const answer = await t.quietly({ method: 'PATCH', path, headers, body });
      t.note(what, refusal(answer) ?? [answer.status, ...warnings(answer)]);
    }
  },
});

interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

function refusal({ status, json }: Told): readonly unknown[] | undefined {
  if (json.kind !== 'Status') return undefined;
  const causes: readonly Cause[] | undefined = json.details?.causes;
  if (causes === undefined) return [status, json.message];
  return [status, ...causes.map(({ reason, field, message }) => `${reason} ${field}: ${message}`)];
}

function taken(answer: Told, keys: readonly string[]): readonly unknown[] {
  const { spec } = answer.json;
  return [answer.status, ...warnings(answer), Object.fromEntries(keys.map(key => [key, spec[key] ?? null]))];
}

const warnings = ({ headers }: Told): readonly string[] => (headers.warning === undefined ? [] : [headers.warning]);
