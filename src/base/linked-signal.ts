// One signal out of several, that lets go of them again: what AbortSignal.any keeps when a listener was left behind.

/** Aborts as soon as one of `signals` does, with its reason, until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Nothing of it stays with `signals`, however long they live. */
  release(): void;
}

export function linkedSignal(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links = signals
    .filter(source => source !== undefined)
    .map(source => ({ source, follow: () => controller.abort(source.reason) }));
  for (const { source, follow } of links) {
    if (source.aborted) follow();
    else source.addEventListener('abort', follow, { once: true });
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const { source, follow } of links) source.removeEventListener('abort', follow);
    },
  };
}
