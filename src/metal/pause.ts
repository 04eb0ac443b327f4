// What is left alone: objects that are paused, by themselves or through their Cluster, and the source copies of a move.

export { clusterOf, isBeingMoved, pausedBy, pauseRules } from '../kinds/pause.ts';
