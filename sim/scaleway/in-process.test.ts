import { macCloudContract } from '../../src/mac/cloud.contract.ts';
import { inProcess } from './in-process.ts';
import { underTest } from './under-test.testing.ts';

macCloudContract('model in process', () =>
  underTest(async model => ({ cloud: inProcess(model), close: () => Promise.resolve() })),
);
