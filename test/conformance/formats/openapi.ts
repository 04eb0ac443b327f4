// The documents that describe the API: OpenAPI v3 by group, v2 as a whole.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';

/** Of any shape. */
type Document = Told['json'];

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

async function head(t: Trial, path: string, headers: Record<string, string> = {}): Promise<Document> {
  const told = await t.quietly({ method: 'GET', path, headers });
  const { 'content-type': type, 'cache-control': cache, vary, etag, expires, location } = told.headers;
  const tag = etag === undefined ? undefined : /^"[0-9A-F]{128}"$/.test(etag);
  const where = location?.replace(/hash=[0-9A-F]+/, 'hash=<hash>');
  t.note(`${path.replace(/hash=[0-9A-F]{20,}/, 'hash=<hash>')} ${JSON.stringify(headers)}`, {
    status: told.status,
    type,
    cache,
    vary,
    tag,
    expires: expires !== undefined,
    where,
    isEmpty: told.body.length === 0,
  });
  return told;
}

async function hashOf(t: Trial, path: string): Promise<string> {
  const { body } = await t.quietly({ method: 'GET', path: '/openapi/v3' });
  return JSON.parse(body.toString()).paths[path].serverRelativeURL as string;
}

/** What tools read of a schema: everything but prose. */
function bare(value: Document): Document {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => !(key === 'description' && typeof each === 'string'));
  return Object.fromEntries(entries.map(([key, each]) => [key, bare(each)]));
}

export const describing: readonly Case[] = [
  {
    says: 'the index of OpenAPI v3 names each group version with a hash',
    steps: async t => {
      const { headers, body } = await t.quietly({ method: 'GET', path: '/openapi/v3' });
      const { paths } = JSON.parse(body.toString());
      const shared = Object.keys(paths).filter(
        path => /^apis?\/.*v1$/.test(path) && !/example\.com|autoscaling/.test(path),
      );
      t.note('head', [headers['content-type'], headers['cache-control'], headers.etag]);
      t.note('paths', shared.sort());
      t.note('address', paths['apis/apps/v1'].serverRelativeURL.replace(/=[0-9A-F]{128}$/, '=<hash>'));
    },
  },
  {
    says: 'a document of OpenAPI v3 may be kept when its address has the hash',
    steps: async t => {
      await head(t, '/openapi/v3/apis/policy/v1');
      await head(t, await hashOf(t, 'apis/policy/v1'));
      await head(t, '/openapi/v3/apis/policy/v1?hash=other');
    },
  },
  {
    says: 'a document of OpenAPI v3 is not sent again to who has it',
    steps: async t => {
      const { headers } = await t.quietly({ method: 'GET', path: '/openapi/v3/apis/policy/v1' });
      const again = await t.quietly({
        method: 'GET',
        path: '/openapi/v3/apis/policy/v1',
        headers: { 'if-none-match': headers.etag ?? '' },
      });
      t.note('again', [again.status, again.body.length, again.headers.etag === headers.etag]);
      const url = await hashOf(t, 'apis/policy/v1');
      t.note('the tag is the hash', headers.etag === `"${url.split('hash=')[1]}"`);
    },
  },
  {
    says: 'OpenAPI v3 in JSON, and in what cannot be had',
    steps: async t => {
      await head(t, '/openapi/v3/apis/policy/v1', { accept: 'application/json' });
      await head(t, '/openapi/v3/apis/policy/v1', { accept: '*/*' });
      await head(t, '/openapi/v3/apis/policy/v1', { accept: 'text/html' });
      await head(t, '/openapi/v3', { accept: 'text/html' });
      await head(t, '/openapi/v3/apis/none/v1');
    },
  },
  {
    says: 'OpenAPI v2 in JSON and in protobuf, with a tag',
    steps: async t => {
      await head(t, '/openapi/v2', { accept: 'application/json' });
      await head(t, '/openapi/v2', { accept: V2_PROTOBUF });
      await head(t, '/openapi/v2', { accept: V2_PROTOBUF.replace('@', '.') });
      await head(t, '/openapi/v2', { accept: 'text/html' });
    },
  },
  {
    says: 'OpenAPI v2 is not sent again to who has it',
    steps: async t => {
      const read = (headers: Record<string, string>): Promise<Document> =>
        t.quietly({ method: 'GET', path: '/openapi/v2', headers });
      const first = await read({ accept: V2_PROTOBUF });
      const again = await read({ accept: V2_PROTOBUF, 'if-none-match': first.headers.etag ?? '"none"' });
      // Other cases define kinds meanwhile, which changes it.
      t.note('again', again.status === 304 || again.headers.etag !== first.headers.etag);
    },
  },
  {
    says: 'documents are compressed for who accepts gzip',
    steps: async t => {
      const zip = { 'accept-encoding': 'gzip' };
      for (const path of ['/openapi/v2', '/openapi/v3/api/v1', '/openapi/v3/apis/policy/v1']) {
        const { headers } = await t.quietly({ method: 'GET', path, headers: zip });
        t.note(path, [headers['content-encoding'], headers.vary]);
      }
    },
  },
  {
    says: 'paths of OpenAPI v3 name verb, group, version and kind',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: '/openapi/v3/apis/policy/v1' });
      const one = '/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets/{name}';
      t.note(
        'paths',
        Object.keys(json.paths)
          .filter(path => !path.includes('/watch/') && path.split('/').length > 5)
          .sort(),
      );
      for (const [method, operation] of Object.entries<Document>(json.paths[one]).sort()) {
        if (method === 'parameters') continue;
        t.note(method, [
          operation.operationId,
          operation['x-kubernetes-action'],
          operation['x-kubernetes-group-version-kind'],
          Object.keys(operation.requestBody?.content ?? {}).sort(),
          operation.parameters?.map(({ name }: Document) => name).sort(),
        ]);
      }
    },
  },
  {
    says: 'schemas of OpenAPI v3 are those of the kinds',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: '/openapi/v3/apis/policy/v1' });
      for (const name of [
        'io.k8s.api.policy.v1.PodDisruptionBudget',
        'io.k8s.api.policy.v1.PodDisruptionBudgetSpec',
        'io.k8s.api.policy.v1.Eviction',
        'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
        'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      ]) {
        t.note(name, bare(json.components.schemas[name]));
      }
    },
  },
  {
    says: 'list keys, merge strategies and unions are in the schemas of Pods',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: '/openapi/v3/api/v1' });
      const schema = (name: string): Document => bare(json.components.schemas[`io.k8s.api.core.v1.${name}`]);
      for (const name of ['PodSpec', 'Container', 'ContainerPort', 'ServicePort', 'NodeSpec'])
        t.note(name, schema(name));
    },
  },
  {
    says: 'a custom kind is described in both versions of OpenAPI',
    steps: async t => {
      const properties = {
        spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, required: ['size'] },
      };
      const { api } = await widgets(t, { schema: { openAPIV3Schema: { type: 'object', properties } } });
      const deadline = Date.now() + 30_000;
      let document: Document;
      do document = (await t.quietly({ method: 'GET', path: `/openapi/v3/apis/${api}` })).json;
      while (
        document === undefined &&
        Date.now() < deadline &&
        (await new Promise(resolve => setTimeout(resolve, 200))) === undefined
      );
      const [name = ''] = Object.keys(document.components.schemas).filter(each => each.endsWith('.Widget'));
      t.note(
        'name',
        t.mask
          .text(name)
          .replaceAll(/custom-[a-z-]*[0-9a-f]{5}/g, '<case>')
          .replaceAll(/a-<case>/g, '<case>'),
      );
      t.note('schema', bare(document.components.schemas[name]));
      const paths = Object.keys(document.paths).map(path => path.replace(api, 'GROUP/v1'));
      t.note('paths', paths.sort());
    },
  },
];
