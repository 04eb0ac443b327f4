// Puts finalizers on and takes them off, locked to the object that was read: a writer in between ends in a Conflict.

export { letGo, patchMetadata, putOn, takeOff } from '../kube/finalizers.ts';
