import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { realKeys } from '../adapters/keys/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { type ServedApi, serveApi } from './serve-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'pippin-api-'));
const dataDir = join(folder, 'data');
const hasKubectl = (process.env.PATH ?? '').split(delimiter).some(dir => existsSync(join(dir, 'kubectl')));
let served: ServedApi;

const start = (): Promise<ServedApi> =>
  serveApi({ dataDir, port: 0, clock: systemClock, random: systemRandom, keys: realKeys });

before(async () => {
  served = await start();
});

after(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

interface Said {
  readonly code: number;
  readonly out: string;
}

/** kubectl with nothing of this machine's own: no home, no other kubeconfig (safe-24). */
function kubectl(args: readonly string[], input?: string): Promise<Said> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    KUBECONFIG: served.kubeconfigFile,
    EDITOR: 'sed -i s/red/blue/',
  };
  return new Promise(resolve => {
    const child = execFile('kubectl', args, { env, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: stdout + stderr });
    });
    child.stdin?.end(input);
  });
}

async function kubectlSays(args: string, expected: RegExp, input?: string): Promise<void> {
  const { out } = await kubectl(args.split(' '), input);
  assert.match(out, expected, `kubectl ${args}`);
}

const POD = `
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers: [{name: c, image: "nginx:1"}]
`;

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget, shortNames: [gg]}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      additionalPrinterColumns: [{name: Color, type: string, jsonPath: .spec.color}]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {color: {type: string, enum: [red, blue]}}
`;

test('the data folder and all in it are readable for their owner alone (safe-19)', () => {
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  for (const entry of files) {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    assert.equal(mode, entry.isDirectory() ? 0o700 : 0o600, entry.name);
  }
});

test('the API starts again on its folder: same objects, same kubeconfig, same trust', async () => {
  const other = join(folder, 'again');
  const setup = { dataDir: other, port: 0, clock: systemClock, random: systemRandom, keys: realKeys };
  const first = await serveApi(setup);
  const uid = first.api.stored.get('namespaces', '', 'kube-system')?.metadata;
  const secrets = readFileSync(join(other, 'pki', 'admin.token'), 'utf8');
  await first.close();

  const second = await serveApi(setup);
  const after = second.api.stored.get('namespaces', '', 'kube-system')?.metadata;
  await second.close();

  assert.deepEqual(after, uid);
  assert.equal(readFileSync(join(other, 'pki', 'admin.token'), 'utf8'), secrets);
  assert.equal(second.authority.certificatePem, first.authority.certificatePem);
});

test('a folder whose store was removed is refused by name, and left as it is', async () => {
  const lost = join(folder, 'lost');
  const setup = { dataDir: lost, port: 0, clock: systemClock, random: systemRandom, keys: realKeys };
  const startAndClose = async (): Promise<void> => (await serveApi(setup)).close();
  await startAndClose();
  for (const name of readdirSync(lost).filter(each => each.startsWith('api.db'))) rmSync(join(lost, name));

  await assert.rejects(startAndClose(), { code: 'PIPPIN_E_STORE_GONE', message: /lost\/api\.db is gone, although/ });
  rmSync(join(lost, 'kubeconfig'));
  await assert.rejects(startAndClose(), { code: 'PIPPIN_E_STORE_GONE', message: /pki\/ca\.key is there/ });

  assert.deepEqual(readdirSync(lost), ['pki']);
});

test('a second API on the same folder is refused by name', async () => {
  await assert.rejects(start(), { code: 'PIPPIN_E_STORE_HELD' });
});

describe('stock kubectl', { skip: hasKubectl ? false : 'kubectl is not on the PATH' }, () => {
  test('applies, reads, changes and deletes a Pod', async () => {
    writeFileSync(join(folder, 'pod.yaml'), POD);
    const file = join(folder, 'pod.yaml');
    await kubectlSays('create serviceaccount default', /serviceaccount\/default created/);
    await kubectlSays(`apply -f ${file}`, /pod\/web created/);
    await kubectlSays(`apply -f ${file}`, /pod\/web unchanged/);
    await kubectlSays('get pods', /NAME .*\nweb /);
    await kubectlSays('label pod web tier=front', /pod\/web labeled/);
    await kubectlSays('annotate pod web why=because', /pod\/web annotated/);
    await kubectlSays('patch pod web --type=merge -p {"metadata":{"labels":{"x":"y"}}}', /pod\/web patched/);
    await kubectlSays('get pods -l tier=front,x=y -o name', /^pod\/web\n$/);
    await kubectlSays('describe pod web', /Name: +web\n[\s\S]*Status: +Pending/);
    await kubectlSays('logs web', /^$/);
    await kubectlSays('exec web -- ls', /pod web does not have a host assigned/);
    await kubectlSays('explain pod.spec.nodeName', /FIELD: nodeName <string>/);
    await kubectlSays('events', /No events found|LAST SEEN/);
    await kubectlSays('delete pod web', /pod "web" deleted/);
    await kubectlSays('wait --for=delete pod/web --timeout=5s', /^$|condition met/);
    await kubectlSays('get pod web', /Error from server \(NotFound\): pods "web" not found/);
  });

  test('applies on the server, with conflicts between owners', async () => {
    const file = join(folder, 'map.yaml');
    writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {color: red}\n');
    await kubectlSays(`apply --server-side -f ${file}`, /configmap\/m serverside-applied/);
    writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {color: blue}\n');
    await kubectlSays(
      `apply --server-side --field-manager=other -f ${file}`,
      /conflict with "kubectl".*: \.data\.color/,
    );
    await kubectlSays(`apply --server-side --field-manager=other --force-conflicts -f ${file}`, /serverside-applied/);
  });

  test('creates what it speaks protobuf for, and asks what it may', async () => {
    await kubectlSays('create namespace team', /namespace\/team created/);
    await kubectlSays('create configmap c --from-literal=a=b -n team', /configmap\/c created/);
    await kubectlSays('create serviceaccount robot -n team', /serviceaccount\/robot created/);
    await kubectlSays('create token robot -n team', /^ey[\w-]+\.[\w-]+\.[\w-]+\n?$/);
    await kubectlSays('create deployment d --image=i -n team', /deployment\.apps\/d created/);
    await kubectlSays('scale deployment d --replicas=3 -n team', /deployment\.apps\/d scaled/);
    await kubectlSays('get deployment d -n team -o jsonpath={.spec.replicas}', /^3$/);
    await kubectlSays('create rolebinding view --clusterrole=view --serviceaccount=team:robot -n team', /created/);
    await kubectlSays('auth can-i list pods -n team --as system:serviceaccount:team:robot', /^yes\n/);
    await kubectlSays('auth can-i delete pods -n team --as system:serviceaccount:team:robot', /^no\n/);
    await kubectlSays('auth whoami', /kubernetes-admin/);
  });

  test('learns a new kind from discovery, explains it and edits it', async () => {
    const file = join(folder, 'crd.yaml');
    writeFileSync(file, DEFINITION);
    await kubectlSays(`create -f ${file}`, /gadgets\.example\.com created/);
    await kubectlSays('wait --for=condition=Established crd/gadgets.example.com --timeout=5s', /condition met/);
    await kubectlSays('api-resources --api-group=example.com', /gadgets +gg +example\.com\/v1 +true +Gadget/);
    writeFileSync(file, 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {color: red}\n');
    await kubectlSays(`apply -f ${file}`, /gadget\.example\.com\/g created/);
    await kubectlSays('get gg', /NAME +COLOR\ng +red/);
    await kubectlSays('explain gadget.spec.color', /ENUM:\s+red\s+blue|FIELD: color <string>/);
    await kubectlSays('edit gg g', /gadget\.example\.com\/g edited/);
    await kubectlSays('get gg g -o jsonpath={.spec.color}', /^blue$/);
    writeFileSync(file, 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {color: green}\n');
    await kubectlSays(`apply -f ${file}`, /spec\.color: Unsupported value: "green": supported values: "red", "blue"/);
    await kubectlSays('delete crd gadgets.example.com', /deleted/);
    await kubectlSays('get gg', /the server (doesn't have a resource type|could not find the requested resource)/);
  });
});
