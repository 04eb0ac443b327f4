import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anApi } from '../../api-double.ts';
import type { KubeletRequest } from '../../kubelets.ts';
import { rewritten } from './html.ts';
import { relocated } from './links.ts';

const PODS = '/api/v1/namespaces/default/pods';

test('a Pod is asked at the port and in the scheme that its name says, without the credentials of the caller', async () => {
  const asked: KubeletRequest[] = [];
  const ask = async (what: KubeletRequest) => {
    asked.push(what);
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('hi') };
  };
  const api = await anApi({ kubelets: { ask } });
  const spec = { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 8080 }] }] };
  await api.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
  await api.patch(`${PODS}/p/status`, { status: { podIPs: [{ ip: '10.1.2.3' }] } });

  for (const name of ['p', 'p:9000', 'https:p:', 'https:p:8443']) await api.get(`${PODS}/${name}/proxy/a`);

  assert.deepEqual(
    asked.map(({ host, port, workload, path }) => [host, port, workload, path]),
    [
      ['10.1.2.3', 8080, 'http', '/a'],
      ['10.1.2.3', 9000, 'http', '/a'],
      ['10.1.2.3', 8080, 'https', '/a'],
      ['10.1.2.3', 8443, 'https', '/a'],
    ],
  );
  assert.ok(asked.every(({ headers }) => headers.authorization === undefined));
});

test('links of a page to the workload lead through the API server, and no others', () => {
  const place = { before: '/x/proxy', host: '10.1.2.3:80', askedHost: 'api' };

  const page = rewritten(
    '<A href=/a?b&amp;c>x</A><!-- <a href="/n"> --><img src="//o/p"><script>"<a href=/s>"</script>',
    link => relocated(link, place),
  );

  assert.equal(
    page,
    '<a href="/x/proxy/a?b&amp;c">x</A><!-- <a href="/n"> --><img src="//o/p"><script>"<a href=/s>"</script>',
  );
});

test('what has no end does not keep a page from being read', () => {
  const endless = ['x ', 'x', '<a ', '=x', ' ', '"'].map(part => `<a ${part.repeat(50_000)}`);

  for (const page of endless)
    assert.equal(
      rewritten(page, link => link),
      page,
    );
});
