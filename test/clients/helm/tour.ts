// Helm's life of a release: installed, changed, taken back, looked at, and taken away.

import { join } from 'node:path';
import { clientPath } from '../../../scripts/clients/programs.ts';
import { commandLine } from '../frame/walk.ts';

const installing = [
  'kubectl create namespace harbour',
  'kubectl config set-context --current --namespace=harbour',
  'kubectl create configmap known --from-literal=who=me',
  'helm lint harbour',
  'helm list',
  'helm install port harbour --dry-run=server',
  'helm install port harbour',
  'helm install port harbour',
  'helm install Not_A_Name harbour',
  'helm install other harbour --set replicas=many',
  'helm list',
  // Helm shows kinds in no order.
  'helm status port | sort',
  'kubectl get configmaps,services,deployments,boats',
  'kubectl get deployment port -o yaml --show-managed-fields',
  'kubectl get secrets -l owner=helm --show-labels',
];

const changing = [
  'helm upgrade port harbour --set greeting=welcome --set replicas=3',
  'kubectl get configmap port-settings -o yaml',
  'kubectl get configmap port-before -o jsonpath={.data.revision}',
  'helm history port',
  'helm get values port',
  'helm get manifest port',
  'helm get hooks port',
  'helm get metadata port',
  'kubectl scale deployment port --replicas=7',
  'helm upgrade port harbour --reuse-values --set image=harbour:2',
  'helm upgrade port harbour --reuse-values --set image=harbour:2 --force-conflicts',
  'helm upgrade port harbour --set replicas=-1',
  'helm history port',
  'helm rollback port 1',
  'helm rollback port 99',
  'helm history port',
  'kubectl get deployment port -o jsonpath="{.spec.replicas} {.spec.template.spec.containers[0].image}"',
  'helm upgrade --install second harbour --server-side=false',
  'helm upgrade --install second harbour --server-side=false --set image=harbour:3',
  'kubectl get deployment second -o yaml --show-managed-fields',
  'helm list -A',
  'helm list -A --filter sec -o json',
  'helm upgrade nobody harbour',
];

const leaving = [
  'helm uninstall second --keep-history',
  'helm status second',
  'helm list --uninstalled',
  'helm rollback second 1',
  'helm uninstall second',
  'helm uninstall port --wait --timeout 20s',
  'helm uninstall port',
  'helm list -A',
  'kubectl get all,configmaps,secrets -o name',
  'kubectl get crd boats.harbour.example -o name',
  'kubectl delete crd boats.harbour.example',
  'helm get all port',
  'helm install eve harbour --kube-as-user eve',
];

export const helmTour = commandLine({
  name: 'helm',
  topics: [
    { name: 'installing', lines: installing },
    { name: 'changing', lines: changing },
    { name: 'leaving', lines: leaving },
  ],
  files: join(import.meta.dirname, 'files'),
  // A kubectl one version older than the server: clusters are often upgraded first.
  programs: { helm: clientPath('helm'), kubectl: clientPath('older-kubectl') },
});
