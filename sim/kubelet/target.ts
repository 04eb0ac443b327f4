// What a request to a kubelet is about, read from its path and query.

export interface Target {
  readonly kind: 'containerLogs' | 'exec' | 'attach' | 'portForward' | 'healthz' | 'unknown';
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly query: URLSearchParams;
}

const KINDS = ['containerLogs', 'exec', 'attach', 'portForward', 'healthz'] as const;

export function targetOf(url: string): Target {
  const { pathname, searchParams } = new URL(url, 'https://kubelet');
  const [, first = '', namespace = '', pod = '', container = ''] = pathname.split('/').map(decodeURIComponent);
  const kind = KINDS.find(each => each === first) ?? 'unknown';
  return { kind, namespace, pod, container, query: searchParams };
}
