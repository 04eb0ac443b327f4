// Calls webhooks over HTTPS; what goes wrong is told in the words of kube-apiserver, whose users know them.

import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import type { WebhookAnswer, WebhookCall, WebhookPort } from '../../apiserver/admission/webhook-port.ts';
import { messageOf } from '../../base/errors.ts';

const IDLE_MS = 30_000;
/** As the real server's client bounds an answer. */
const LARGEST_ANSWER_BYTES = 3 * 1024 * 1024;
const HEADERS = {
  accept: 'application/json, */*',
  'accept-encoding': 'gzip',
  'content-type': 'application/json',
  'user-agent': 'kube-apiserver-admission',
};

/** Connections are kept and used again. */
export function webhookCaller(): WebhookPort {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 8 });
  return async call => {
    try {
      return await post(agent, call);
    } catch (error) {
      throw new Error(wordsOf(error, new URL(call.url)), { cause: error });
    }
  };
}

/** A kept connection that had been closed meanwhile says nothing about the webhook: once more, on a new one. */
class StaleConnection extends Error {}

async function post(agent: Agent, call: WebhookCall): Promise<WebhookAnswer> {
  try {
    return await exchange(agent, call);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return exchange(new Agent({ keepAlive: false }), call);
  }
}

function exchange(agent: Agent, { url, caPem, body, signal }: WebhookCall): Promise<WebhookAnswer> {
  // A server's own certificate in the bundle is trusted, as Go trusts it: envtest installs webhooks so.
  const ca = caPem === '' ? {} : { ca: caPem, allowPartialTrustChain: true };
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS, 'content-length': String(body.length) };
    const outgoing = request(url, { method: 'POST', headers, agent, signal, ...ca }, answer => {
      const parts: Buffer[] = [];
      let sizeBytes = 0;
      answer.on('data', (part: Buffer) => {
        sizeBytes += part.length;
        if (sizeBytes > LARGEST_ANSWER_BYTES) answer.destroy(new Error('the answer is too large'));
        else parts.push(part);
      });
      answer.once('error', reject);
      answer.once('end', () => {
        const contentType = answer.headers['content-type'] ?? '';
        resolve({ status: answer.statusCode ?? 0, contentType, body: Buffer.concat(parts, sizeBytes) });
      });
    });
    outgoing.once('error', error => {
      const isStale = outgoing.reusedSocket && codeOf(error) === 'ECONNRESET';
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    outgoing.end(body);
  });
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

function wordsOf(error: unknown, { hostname, port }: URL): string {
  const code = codeOf(error);
  const name = error instanceof Error ? error.name : '';
  if (code === 'ABORT_ERR' || name === 'AbortError' || name === 'TimeoutError') return 'context deadline exceeded';
  const at = `dial tcp ${hostname}:${port || '443'}`;
  if (code === 'ECONNREFUSED') return `${at}: connect: connection refused`;
  if (code === 'EHOSTUNREACH') return `${at}: connect: no route to host`;
  if (code === 'ENETUNREACH') return `${at}: connect: network is unreachable`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname}: no such host`;
  if (code === 'ECONNRESET') return 'EOF';
  const trust = trustProblem(error, code, hostname);
  return trust === undefined ? messageOf(error) : `tls: failed to verify certificate: x509: ${trust}`;
}

function trustProblem(error: unknown, code: string, hostname: string): string | undefined {
  if (UNKNOWN_AUTHORITY.has(code)) return 'certificate signed by unknown authority';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return 'certificate has expired or is not yet valid';
  }
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  const names = namesOf(error);
  if (isIP(hostname) !== 0) {
    const addresses = names
      .filter(each => each.startsWith('IP Address:'))
      .map(each => each.slice('IP Address:'.length));
    if (addresses.length === 0)
      return `cannot validate certificate for ${hostname} because it doesn't contain any IP SANs`;
    return `certificate is valid for ${addresses.join(', ')}, not ${hostname}`;
  }
  const hosts = names.filter(each => each.startsWith('DNS:')).map(each => each.slice('DNS:'.length));
  if (hosts.length === 0) return `certificate is not valid for any names, but wanted to match ${hostname}`;
  return `certificate is valid for ${hosts.join(', ')}, not ${hostname}`;
}

function namesOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null || !('cert' in error)) return [];
  const { subjectaltname } = error.cert as Partial<PeerCertificate>;
  return (subjectaltname ?? '').split(', ').filter(name => name !== '');
}
