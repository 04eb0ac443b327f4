// `kube-apiserver` for Go's envtest: the embedded API with the certificates it is given, in memory, without controllers.

import { ABSENT_FLAGS } from './absent-flags.ts';
import { KUBE_APISERVER_FLAGS, setupOf } from './kube-apiserver-flags.ts';
import { runStandIn } from './program.ts';

await runStandIn({
  name: 'kube-apiserver',
  summary: 'The embedded Kubernetes API of Pippin, for tests: in memory, and gone when it ends.',
  flags: KUBE_APISERVER_FLAGS,
  absent: ABSENT_FLAGS,
  start: async given => {
    const setup = setupOf(given);
    const { serveForEnvtest } = await import('../../fleet/envtest/serve.ts');
    return serveForEnvtest(setup);
  },
});
