// The order of resourceVersions: since Kubernetes 1.35 those of one resource are integers that grow (KEP-5504).

const DECIMAL = /^[1-9][0-9]*$/;

/** Whether `version` is at least `other`; undefined when either is no decimal number, and only a live read can tell. */
export function isAtLeast(version: string, other: string): boolean | undefined {
  if (!DECIMAL.test(version) || !DECIMAL.test(other)) return undefined;
  if (version.length !== other.length) return version.length > other.length;
  return version >= other;
}
