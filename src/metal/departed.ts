// Whether an object of a UID is gone: its DELETED event came to this process, or one live read says so (safe-1).

export { isGone, noteDepartures } from '../kube/departed.ts';
