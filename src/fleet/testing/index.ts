// `pippin/testing`: the embedded Kubernetes API for other people's tests.

export { startApi } from './start.ts';
export type {
  ControllerName,
  KubeconfigOptions,
  StartOptions,
  TestApi,
  TestClient,
  TestIdentity,
  TestRequest,
  TestResponse,
  TestWatch,
  WatchEvent,
} from './types.ts';
