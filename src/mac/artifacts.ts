// What is put on a Mac besides text: tart and the agent, each a bundle known by its digest.

/** A gzipped tar. */
export interface Artifact {
  /** Of its bytes, in hexadecimal: names the version, and becomes part of a path on the host. */
  readonly digest: string;
  bytes(): Promise<Uint8Array>;
}

export interface Artifacts {
  /** `tart.app` at its top. */
  readonly tart: Artifact;
  /** An executable `agent` at its top; everything else in it is the agent's own business. */
  readonly agent: Artifact;
}
