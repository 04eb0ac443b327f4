// `--runtime-config` of kube-apiserver: the versions that are served are always served, and others never.

import { resources } from '../../apiserver/builtin/index.ts';
import { goTruth } from '../../apiserver/rules/go-truth.ts';
import { defineError } from '../../base/errors.ts';

const versionAbsent = defineError('PIPPIN_E_ENVTEST_RUNTIME_CONFIG', {
  retry: 'never',
  remedy: 'Leave it out, or test against the real kube-apiserver what depends on it',
  says: (setting: string, why: string) => `--runtime-config: ${setting}: ${why}`,
});

/** What is not stable is not there: who asks for all of it gets what there is. */
const KINDS_OF_VERSIONS = ['api/all', 'api/ga', 'api/beta', 'api/alpha', 'api/legacy'];

export function checkRuntimeConfig(settings: readonly string[]): void {
  for (const setting of settings) {
    const [what = '', value = 'true'] = setting.split('=', 2);
    const wanted = goTruth(value);
    if (wanted === undefined) throw versionAbsent(setting, 'it is neither true nor false');
    const isServed = KINDS_OF_VERSIONS.includes(what) || SERVED().has(what);
    if (wanted === 'true' && !isServed) throw versionAbsent(setting, 'this version is not built in');
    if (wanted === 'false' && isServed && what !== 'api/beta' && what !== 'api/alpha') {
      throw versionAbsent(setting, 'it cannot be switched off here');
    }
  }
}

/** Versions, `apps/v1`, and the resources of each, `apps/v1/deployments`. */
const SERVED = (): ReadonlySet<string> =>
  new Set(
    resources.flatMap(({ group, version, plural }) => {
      const own = group === '' ? version : `${group}/${version}`;
      return [own, `${own}/${plural}`];
    }),
  );
