// Accounts, certificates and rights, as an administrator hands them out.

import type { Topic } from '../../frame/topic.ts';

const AS_BUILDER = '--kubeconfig=anonymous --token="$(kubectl create token builder)"';

export const rights: Topic = {
  name: 'rights',
  lines: [
    'kubectl config view --raw --minify | sed /token:/d > anonymous',
    'kubectl get pods --kubeconfig=anonymous </dev/null',
    `kubectl auth whoami ${AS_BUILDER}`,
    `kubectl get pods ${AS_BUILDER} -o name`,
    `kubectl get secrets ${AS_BUILDER}`,
    `kubectl auth can-i list pods ${AS_BUILDER}`,
    `kubectl auth can-i delete pods ${AS_BUILDER}`,
    `kubectl auth can-i --list ${AS_BUILDER}`,
    'kubectl auth reconcile -f rights.yaml',
    'kubectl auth reconcile -f rights.yaml',
    'kubectl describe role gardener',
    'kubectl get rolebinding gardeners -o yaml',
    'kubectl create rolebinding wrong --role=gardener --user=eve --dry-run=client -o yaml',
    'kubectl apply -f rights.yaml --as=system:serviceaccount:tour:builder',
    'kubectl create -f request.yaml',
    'kubectl get certificatesigningrequests',
    'kubectl describe csr eve',
    'kubectl certificate approve eve',
    'kubectl wait --for=condition=Approved csr/eve --timeout=5s',
    'kubectl get csr eve',
    'kubectl certificate approve eve',
    'kubectl certificate deny eve',
    'kubectl certificate approve nobody',
    'kubectl delete csr eve',
    'kubectl create -f token-secret.yaml',
    "kubectl wait --for=jsonpath='{.data.token}' secret/builder-token --timeout=20s",
    'kubectl describe secret builder-token | grep -v ^ca.crt',
    'kubectl create token builder --bound-object-kind=Secret --bound-object-name=builder-token',
    'kubectl create token builder --audience=elsewhere',
    'kubectl delete serviceaccount builder',
    'kubectl wait --for=delete secret/builder-token --timeout=20s',
  ],
};
