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

/** What a PKCS #10 request asks for. */
export interface RequestedCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly publicKeyPem: string;
  /** Whether the request was signed with the private half of its key: else it is somebody else's key. */
  readonly isSelfSigned: boolean;
}

/** Reads PKCS #10 requests. */
export interface RequestReader {
  /** Undefined when the text is no PEM request. */
  readRequest(pem: string): RequestedCertificate | undefined;
}

/** What a certificate says. Times are milliseconds since 1970. */
export interface ReadCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Reads certificates, for instance to know when to renew one. It verifies nothing. */
export interface CertificateReader {
  /** Of the first certificate in the text; undefined when there is none. */
  readCertificate(pem: string): ReadCertificate | undefined;
}

/** Signs and checks bytes, as tokens need it; ES256 for ECDSA P-256 keys, RS256 for RSA keys. */
export interface Signatures {
  algorithm(publicKeyPem: string): 'ES256' | 'RS256';
  /** The signature as JSON Web Signatures carry it (for ES256: r and s, 32 bytes each). */
  sign(privateKeyPem: string, data: Uint8Array): Uint8Array;
  verify(publicKeyPem: string, data: Uint8Array, signature: Uint8Array): boolean;
  /** SHA-256 of the DER form of a public key: names the key in token headers. */
  fingerprint(publicKeyPem: string): Uint8Array;
}

/** Everything that needs cryptography. */
export interface Cryptography extends Keys, RequestReader, CertificateReader, Signatures {}
