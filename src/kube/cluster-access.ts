// What it takes to reach a cluster: where it is, whom to trust there, and who we are.

/** Certificates and keys are PEM. Without a client certificate and a token, requests are anonymous. */
export interface ClusterAccess {
  /** `https://host:port`, or `http://` for a proxy on this machine. */
  readonly server: string;
  /** Authorities to trust instead of the system's. */
  readonly caPem?: string;
  readonly clientCertificatePem?: string;
  readonly clientKeyPem?: string;
  /** Asked before each request: tokens in files are renewed while a program runs. */
  readonly token?: () => Promise<string>;
  /** The name in the server's certificate, where it is not that of the address. */
  readonly serverName?: string;
  readonly skipTlsVerify?: boolean;
}
