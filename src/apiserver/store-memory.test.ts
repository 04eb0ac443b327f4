import { storeContract } from './store.contract.ts';
import { memoryStore } from './store-memory.ts';

storeContract('memory store', async history => memoryStore(history));
