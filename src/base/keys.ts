// Key pairs and certificates, behind a seam: real cryptography outside, seeded values in fault runs.

/** A key pair: PEM (PKCS #8) private key and PEM (SPKI) public key. */
export interface KeyPair {
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
}

/** An SSH key pair: the private key in OpenSSH or PKCS #8 PEM, the public one as an authorized_keys line. */
export interface SshKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** What a certificate is to say. Times are milliseconds since 1970. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
  readonly usages: readonly ('client' | 'server' | 'ca')[];
}

/** A certificate authority: its certificate and key, PEM. */
export interface CertificateAuthority {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Makes keys, certificates and signatures. */
export interface Keys {
  /** A new key pair for TLS or token signing (ECDSA P-256). */
  pair(): Promise<KeyPair>;
  /** A new Ed25519 pair for SSH. */
  sshPair(comment: string): Promise<SshKeyPair>;
  /** A self-signed authority. */
  authority(commonName: string, notBefore: number, notAfter: number): Promise<CertificateAuthority>;
  /** A certificate for `publicKeyPem`, signed by `authority`; PEM. */
  certify(authority: CertificateAuthority, publicKeyPem: string, request: CertificateRequest): Promise<string>;
  /** A PKCS #10 request for this key, PEM. */
  signingRequest(pair: KeyPair, commonName: string, organizations: readonly string[]): Promise<string>;
}
