// What a webhook may answer: refusals in its own words, warnings, and answers that are none.

import type { Case } from '../frame/case.ts';
import { Hook, patching, type Reply, type Respond, responding } from '../frame/webhook.ts';

type Trial = Parameters<Case['steps']>[0];

const MAP = { metadata: { name: 'a' } };

async function answered(t: Trial, respond: Respond, webhook: Record<string, unknown> = {}): Promise<void> {
  const hook = await Hook.open(t);
  hook.on('/0', respond);
  await hook.install('validating', [webhook]);
  await t.post(await t.in('configmaps'), MAP);
}

const refusing = (status?: Record<string, unknown>): Respond =>
  responding(() => ({ allowed: false, ...(status === undefined ? {} : { status }) }));

const raw =
  (reply: Reply): Respond =>
  () =>
    reply;

const REVIEW = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };

export const answers: readonly Case[] = [
  { says: 'a refusal without a word says so', steps: t => answered(t, refusing()) },
  { says: 'a refusal with a message says it', steps: t => answered(t, refusing({ message: 'not like this' })) },
  {
    says: 'a refusal with only a reason says the reason',
    steps: t => answered(t, refusing({ reason: 'Forbidden', code: 403 })),
  },
  {
    says: 'a refusal keeps code, reason and details of the status that the webhook gave',
    steps: t =>
      answered(
        t,
        refusing({
          message: 'too many',
          code: 422,
          reason: 'Invalid',
          details: {
            name: 'x',
            kind: 'y',
            causes: [{ reason: 'FieldValueInvalid', message: 'm', field: 'f' }],
            retryAfterSeconds: 3,
          },
        }),
      ),
  },
  {
    says: 'a refusal with the code of success is a refusal all the same',
    steps: t => answered(t, refusing({ message: 'no', code: 200, status: 'Success' })),
  },
  {
    says: 'the first of several refusals is answered',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/1', refusing({ message: 'one' }));
      await hook.install('validating', [{}, {}]);
      await t.post(await t.in('configmaps'), MAP);
      hook.askedInAnyOrder();
    },
  },
  {
    says: 'warnings of a webhook are passed on, also with a refusal',
    steps: async t => {
      const hook = await Hook.open(t);
      const warnings = ['first "quoted"', 'second\nline', 'first "quoted"', ''];
      hook.on(
        '/0',
        responding(({ object }) => ({ allowed: object.metadata.name !== 'refused', warnings })),
      );
      await hook.install('validating', [{}]);
      await t.post(await t.in('configmaps'), MAP);
      await t.post(await t.in('configmaps'), { metadata: { name: 'refused' } });
    },
  },
  {
    says: 'a warning that is longer than fits is cut',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on(
        '/0',
        responding(() => ({ allowed: true, warnings: ['w'.repeat(300), 'v'.repeat(3000), 'u'.repeat(2000)] })),
      );
      await hook.install('validating', [{}]);
      await t.post(await t.in('configmaps'), MAP);
    },
  },
  {
    says: 'audit annotations of a webhook change nothing that the client sees',
    steps: t =>
      answered(
        t,
        responding(() => ({ allowed: true, auditAnnotations: { key: 'value', 'bad key': '' } })),
      ),
  },
  {
    says: 'a patch from a validating webhook is refused',
    steps: t => answered(t, patching({ op: 'add', path: '/data', value: {} })),
  },
  {
    says: 'a patch type without a patch from a validating webhook is refused',
    steps: t =>
      answered(
        t,
        responding(() => ({ allowed: true, patchType: 'JSONPatch' })),
      ),
  },
  {
    says: 'an answer without a response is refused',
    steps: t => answered(t, raw({ body: REVIEW })),
  },
  {
    says: 'an answer with another uid is refused',
    steps: t => answered(t, raw({ body: { ...REVIEW, response: { uid: 'other', allowed: true } } })),
  },
  {
    says: 'an answer in another version is refused',
    steps: t =>
      answered(t, review => ({
        body: {
          apiVersion: 'admission.k8s.io/v1beta1',
          kind: 'AdmissionReview',
          response: { uid: review.request.uid, allowed: true },
        },
      })),
  },
  {
    says: 'an answer of another kind is refused',
    steps: t =>
      answered(t, review => ({
        body: { apiVersion: 'v1', kind: 'Pod', response: { uid: review.request.uid, allowed: true } },
      })),
  },
  {
    says: 'an answer without kind and version is refused',
    steps: t => answered(t, review => ({ body: { response: { uid: review.request.uid, allowed: true } } })),
  },
  { says: 'an answer that is no JSON is refused', steps: t => answered(t, raw({ body: 'fine by me' })) },
  { says: 'an empty answer is refused', steps: t => answered(t, raw({ body: '' })) },
  {
    says: 'an answer with an error code is refused, with its text',
    steps: t => answered(t, raw({ code: 500, body: 'broken inside', headers: { 'content-type': 'text/plain' } })),
  },
  {
    says: 'a Status with an error code is refused, with its message',
    steps: t =>
      answered(
        t,
        raw({
          code: 404,
          body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'no such page', code: 404 },
        }),
      ),
  },
];
