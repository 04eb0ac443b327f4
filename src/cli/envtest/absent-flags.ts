// Flags that kube-apiserver has and its stand-in has not: each would change what a test sees, so each is refused by name.

export const ABSENT_FLAGS: readonly string[] = `
  admission-control admission-control-config-file aggregator-reject-forwarding-redirect allow-metric-labels
  allow-metric-labels-manifest audit-log-batch-buffer-size audit-log-batch-max-size audit-log-batch-max-wait
  audit-log-batch-throttle-burst audit-log-batch-throttle-enable audit-log-batch-throttle-qps audit-log-compress
  audit-log-format audit-log-maxage audit-log-maxbackup audit-log-maxsize audit-log-mode audit-log-path
  audit-log-truncate-enabled audit-log-truncate-max-batch-size audit-log-truncate-max-event-size audit-log-version
  audit-policy-file audit-webhook-batch-buffer-size audit-webhook-batch-max-size audit-webhook-batch-max-wait
  audit-webhook-batch-throttle-burst audit-webhook-batch-throttle-enable audit-webhook-batch-throttle-qps
  audit-webhook-config-file audit-webhook-initial-backoff audit-webhook-mode audit-webhook-truncate-enabled
  audit-webhook-truncate-max-batch-size audit-webhook-truncate-max-event-size audit-webhook-version
  authentication-config authentication-token-webhook-cache-ttl authentication-token-webhook-config-file
  authentication-token-webhook-version authorization-config authorization-policy-file
  authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
  authorization-webhook-config-file authorization-webhook-version coordinated-leadership-lease-duration
  coordinated-leadership-renew-deadline coordinated-leadership-retry-period cors-allowed-origins debug-socket-path
  disable-http2-serving disabled-metrics egress-selector-config-file emulated-version emulation-forward-compatible
  enable-bootstrap-token-auth encryption-provider-config encryption-provider-config-automatic-reload
  http2-max-streams-per-connection kubelet-certificate-authority kubelet-client-certificate kubelet-client-key
  kubelet-preferred-address-types kubelet-timeout kubernetes-service-node-port max-connection-bytes-per-sec
  min-compatibility-version oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url
  oidc-required-claim oidc-signing-algs oidc-username-claim oidc-username-prefix peer-advertise-ip peer-advertise-port
  peer-ca-file proxy-client-cert-file proxy-client-key-file request-timeout requestheader-allowed-names
  requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
  requestheader-uid-headers requestheader-username-headers runtime-config-emulation-forward-compatible
  service-account-extend-token-expiration service-account-jwks-uri service-account-max-token-expiration
  service-account-signing-endpoint show-hidden-metrics-for-version strict-transport-security-directives
  tls-cipher-suites tls-curve-preferences tls-min-version tls-sni-cert-key tracing-config-file
`
  .trim()
  .split(/\s+/);
