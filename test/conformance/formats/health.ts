// What is asked before anything else: version, health, metrics, keys of tokens.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

/** Parts that the embedded API does not have (docs/api-differences.md, 5). */
const OTHER_PARTS =
  /^\[\+\](loopback-serving-certificate|poststarthook.(priority-and-fairness-(config-consumer|filter)|storage-object-count-tracker-hook|peer-endpoint-reconciler-controller|start-(cluster-authentication-info-controller|kube-apiserver-identity-lease-.*|legacy-token-tracking-controller|service-ip-repair-controllers|kubernetes-service-cidr-controller)|apiservice-status-remote-available-controller)) /;

const withoutOthers = (text: string): string =>
  text
    .split('\n')
    .filter(line => !OTHER_PARTS.test(line))
    .join('\n');

async function noted(t: Trial, path: string): Promise<void> {
  const { status, headers, body } = await t.quietly({ method: 'GET', path });
  t.note(path, [status, headers['content-type'], headers['x-content-type-options'], withoutOthers(body.toString())]);
}

export const asking: readonly Case[] = [
  {
    says: 'the version is the pinned one, with what it emulates',
    steps: async t => {
      const { status, headers, json } = await t.quietly({ method: 'GET', path: '/version' });
      const { gitCommit: _, gitTreeState: __, buildDate, goVersion, compiler, platform, ...rest } = json;
      t.note('version', [status, headers['content-type'], rest]);
      t.note(
        'texts',
        [buildDate, goVersion, compiler, platform].map(text => typeof text),
      );
      const slashed = await t.quietly({ method: 'GET', path: '/version/' });
      t.note('with a slash', [slashed.status, slashed.json.gitVersion]);
    },
  },
  {
    says: 'the version is in JSON alone, and only read',
    steps: async t => {
      for (const accept of ['application/yaml', 'text/html', 'application/vnd.kubernetes.protobuf']) {
        await t.get('/version', { headers: { accept } });
      }
      await t.post('/version', {});
      await t.send({ method: 'HEAD', path: '/version' });
    },
  },
  {
    says: 'health is a word',
    steps: async t => {
      for (const path of ['/healthz', '/livez', '/readyz']) await t.get(path);
    },
  },
  {
    says: 'health in many words names each check',
    steps: async t => {
      for (const path of ['/healthz', '/livez', '/readyz']) await noted(t, `${path}?verbose`);
    },
  },
  {
    says: 'the checks of health, in their order',
    difference: 5,
    steps: async t => {
      for (const path of ['/healthz', '/livez', '/readyz']) await t.get(`${path}?verbose`);
    },
  },
  {
    says: 'what scripts wait for after a start is a check of its own',
    steps: async t => {
      const hooks = ['rbac/bootstrap-roles', 'crd-informer-synced', 'scheduling/bootstrap-system-priority-classes'];
      for (const hook of hooks) await t.get(`/readyz/poststarthook/${hook}`);
      await t.get('/livez/poststarthook/start-apiextensions-controllers');
      await t.get('/healthz/autoregister-completion');
      for (const check of ['etcd-readiness', 'informer-sync', 'shutdown']) {
        await t.get(`/readyz/${check}`);
        await t.get(`/livez/${check}`);
      }
      await t.get('/readyz/poststarthook');
      await t.get('/readyz/poststarthook/rbac');
      await t.get('/readyz/etcd/');
      await t.get('/readyz/ping?verbose');
      await t.get('/readyz/ping?exclude=ping');
    },
  },
  {
    says: 'checks whose names have a slash are left out by those names',
    steps: async t => {
      await noted(t, '/readyz?verbose&exclude=poststarthook/rbac/bootstrap-roles');
      await noted(t, '/readyz?verbose&exclude=rbac/bootstrap-roles&exclude=poststarthook');
      await noted(t, '/readyz?verbose=1&exclude=ping,log');
      await noted(t, '/readyz?verbose=no&exclude=ping');
      await noted(t, '/readyz?verbose=false');
      await noted(t, '/readyz/?verbose');
    },
  },
  {
    says: 'a check of health is asked by its name',
    steps: async t => {
      for (const path of ['/healthz/ping', '/livez/ping', '/readyz/ping', '/readyz/etcd', '/livez/log'])
        await t.get(path);
      await t.get('/healthz/none');
      await t.get('/livez/ping/more');
      await t.get('/healthz/');
    },
  },
  {
    says: 'a check of health is left out when that is asked',
    steps: async t => {
      for (const path of ['/livez?verbose&exclude=ping', '/readyz?exclude=etcd&verbose=true', '/livez?exclude=ping']) {
        await noted(t, path);
      }
      await noted(t, '/livez?verbose&exclude=nothing');
      await noted(t, '/livez?verbose&exclude=ping&exclude=log');
    },
  },
  {
    says: 'health is asked by any method and in any format',
    steps: async t => {
      await t.post('/healthz', {});
      await t.get('/livez', { headers: { accept: 'application/json' } });
      await t.send({ method: 'HEAD', path: '/readyz' });
    },
  },
  {
    says: 'metrics are in the text form of Prometheus',
    steps: async t => {
      const { status, headers, body } = await t.quietly({ method: 'GET', path: '/metrics' });
      t.note('head', [status, headers['content-type']]);
      const named = ['apiserver_request_total', 'apiserver_longrunning_requests'];
      for (const name of named) t.note(name, new RegExp(`^# TYPE ${name} \\w+$`, 'm').exec(body.toString())?.[0]);
    },
  },
  {
    says: 'who may not read metrics is told so, and anybody may ask for health and version',
    steps: async t => {
      const as = { user: 'jane', groups: ['system:authenticated'] };
      await t.get('/metrics', { as });
      for (const path of ['/healthz', '/livez', '/readyz']) await t.get(path, { as });
      const { status } = await t.quietly({ method: 'GET', path: '/version', as });
      t.note('version', status);
      await t.get('/logs', { as });
    },
  },
  {
    says: 'paths that there are not',
    steps: async t => {
      for (const path of ['/nothing', '/healthzz', '/version/1', '/openapi', '/openapi/v4', '/metrics/none'])
        await t.get(path);
    },
  },
  {
    says: 'every answer has an Audit-Id, that of the client if it sent one',
    steps: async t => {
      const path = '/api/v1/namespaces/default';
      const idOf = async (asked: string, headers = {}): Promise<string | undefined> =>
        (await t.quietly({ method: 'GET', path: asked, headers })).headers['audit-id'];
      const made = await Promise.all([path, '/healthz', '/nothing', '/api/v1/namespaces/none'].map(each => idOf(each)));
      t.note(
        'are made',
        made.map(id => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id ?? '')),
      );
      t.note('are different', new Set(made).size === made.length);
      t.note('is kept', await idOf(path, { 'audit-id': 'my-own' }));
      const large = { method: 'POST', path: '/api/v1/namespaces/default/configmaps', headers: { 'audit-id': 'large' } };
      const refused = await t.quietly({ ...large, body: 'x'.repeat(4 * 1024 * 1024) });
      t.note('is kept by what is refused unread', [refused.status, refused.headers['audit-id']]);
      t.note('is not cut', (await idOf(path, { 'audit-id': 'x'.repeat(80) }))?.length);
    },
  },
];
