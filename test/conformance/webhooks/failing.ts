// Webhooks that cannot be asked: what is answered, and what the failure policy makes of it.

import type { Case } from '../frame/case.ts';
import { Hook, responding } from '../frame/webhook.ts';
import { webhookCertificate } from '../frame/webhook-certificate.ts';

type Trial = Parameters<Case['steps']>[0];

const MAP = { metadata: { name: 'a' } };
/** Nothing listens on it. */
const CLOSED = { url: 'https://127.0.0.1:1/x' };

async function asked(t: Trial, hook: Hook, webhook: Record<string, unknown>): Promise<void> {
  await hook.install('validating', [webhook]);
  await t.post(await t.in('configmaps'), MAP);
}

export const failing: readonly Case[] = [
  {
    says: 'a webhook that nobody serves fails the request',
    steps: async t => asked(t, await Hook.open(t), { clientConfig: CLOSED }),
  },
  {
    says: 'a webhook that nobody serves is passed over when its policy is Ignore',
    steps: async t => asked(t, await Hook.open(t), { clientConfig: CLOSED, failurePolicy: 'Ignore' }),
  },
  {
    says: 'a mutating webhook that fails is passed over when its policy is Ignore, and the next one is asked',
    steps: async t => {
      const hook = await Hook.open(t);
      await hook.install('mutating', [{ clientConfig: CLOSED, failurePolicy: 'Ignore' }, {}]);
      await t.post(await t.in('configmaps'), MAP);
      hook.askedAt();
    },
  },
  {
    says: 'a refusal is a refusal also when the policy is Ignore',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on(
        '/0',
        responding(() => ({ allowed: false })),
      );
      await asked(t, hook, { failurePolicy: 'Ignore' });
    },
  },
  {
    says: 'an answer that is none is passed over when the policy is Ignore',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/0', () => ({ body: 'nonsense' }));
      await asked(t, hook, { failurePolicy: 'Ignore' });
    },
  },
  {
    says: 'a webhook that does not answer in its time fails the request',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/0', () => 'never');
      await asked(t, hook, { timeoutSeconds: 1 });
    },
  },
  {
    says: 'a webhook that does not answer in its time is passed over when its policy is Ignore',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/0', () => 'never');
      await asked(t, hook, { timeoutSeconds: 1, failurePolicy: 'Ignore' });
    },
  },
  {
    says: 'a webhook whose certificate another authority signed fails the request',
    steps: async t => {
      const other = await Hook.open(t, 'elsewhere');
      const hook = await Hook.open(t);
      await asked(t, hook, { clientConfig: { url: `${hook.url}/0`, caBundle: other.caBundle } });
    },
  },
  {
    says: 'a webhook whose own certificate stands as its authority is trusted',
    steps: async t => {
      const hook = await Hook.open(t);
      const { leafBundle } = await webhookCertificate('loopback');
      await asked(t, hook, { clientConfig: { url: `${hook.url}/0`, caBundle: leafBundle } });
      hook.askedAt();
    },
  },
  {
    says: 'the path of a webhook is asked for without what is doubled, climbs or trails',
    steps: async t => {
      const hook = await Hook.open(t);
      const paths = ['//0', '/a/../1', '/./2/', '/3//x', '/../4', '/%2e%2e/5', '/a%2Fb/6', '/7%20x', '/8/..', '/', ''];
      const install = paths.map(path => ({ clientConfig: hook.clientConfig(path) }));
      await hook.install('validating', install);
      await t.post(await t.in('configmaps'), MAP);
      hook.askedInAnyOrder();
    },
  },
  {
    says: 'a failure names the path that was asked for',
    steps: async t => asked(t, await Hook.open(t), { clientConfig: { url: 'https://127.0.0.1:1//x/../y/' } }),
  },
  {
    says: 'a webhook without an authority of its own is held to those of the system',
    steps: async t => {
      const hook = await Hook.open(t);
      await asked(t, hook, { clientConfig: { url: `${hook.url}/0` } });
    },
  },
  {
    says: 'a webhook whose certificate is for another server fails the request',
    steps: async t => {
      const elsewhere = await Hook.open(t, 'elsewhere');
      const hook = await Hook.open(t);
      await asked(t, hook, { clientConfig: elsewhere.clientConfig('/0') });
    },
  },
  {
    says: 'a webhook behind a Service that does not exist fails the request',
    steps: async t => {
      const hook = await Hook.open(t);
      const service = { namespace: t.ns, name: 'nowhere', path: '/check', port: 8443 };
      await asked(t, hook, { clientConfig: { service } });
    },
  },
  {
    says: 'of several webhooks that fail the refusal is answered that came from a webhook',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on(
        '/1',
        responding(() => ({ allowed: false, status: { message: 'said no' } })),
      );
      await hook.install('validating', [{ failurePolicy: 'Ignore', clientConfig: CLOSED }, {}]);
      await t.post(await t.in('configmaps'), MAP);
    },
  },
  {
    says: 'a dry run meets failing webhooks too',
    steps: async t => {
      const hook = await Hook.open(t);
      await hook.install('validating', [{ clientConfig: CLOSED }]);
      await t.post(`${await t.in('configmaps')}?dryRun=All`, MAP);
    },
  },
];
