// A webhook as a case needs it: an HTTPS server in this process, reachable from both servers, that keeps what it is told.

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Told, Trial } from './trial.ts';
import { type CertifiedFor, webhookCertificate } from './webhook-certificate.ts';

const EFFECT_DEADLINE_MS = 20_000;
const EFFECT_POLL_MS = 40;

/** An AdmissionReview or ConversionReview as it came in. */
export type Review = Told['json'];

/** What goes out: JSON, or text as it is. */
export interface Reply {
  readonly code?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `never`: the connection stays open and silent. */
export type Respond = (review: Review) => Reply | 'never';

export type Kind = 'mutating' | 'validating';

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly review: Review;
}

/** The response part of an AdmissionReview, with the uid of the request. */
export const responding =
  (response: (request: Review) => Record<string, unknown>): Respond =>
  review => ({
    body: {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: review.request.uid, ...response(review.request) },
    },
  });

const allowing: Respond = responding(() => ({ allowed: true }));

/** Allows with a JSON patch. */
export const patching = (...operations: readonly unknown[]): Respond =>
  responding(() => ({ allowed: true, patchType: 'JSONPatch', patch: base64(JSON.stringify(operations)) }));

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

export class Hook {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly caBundle: string;
  readonly #t: Trial;
  readonly #responds = new Map<string, Respond>();
  #received: Received[] = [];
  #markers = 0;

  private constructor(t: Trial, url: string, caBundle: string) {
    this.#t = t;
    this.url = url;
    this.caBundle = caBundle;
  }

  /** Listens until the case has ended. */
  static async open(t: Trial, certifiedFor: CertifiedFor = 'loopback'): Promise<Hook> {
    await t.in('configmaps');
    const { caBundle, ...pair } = await webhookCertificate(certifiedFor);
    const server = createServer(pair);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    t.after(() => closed(server));
    const { port } = server.address() as AddressInfo;
    const hook = new Hook(t, `https://127.0.0.1:${port}`, caBundle);
    t.mask.remember(hook.url, 'https://<webhook>');
    t.mask.remember(`127.0.0.1:${port}`, '<webhook>');
    t.mask.remember(caBundle, '<ca>');
    server.on('request', (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const reply = hook.#replyTo(incoming.url ?? '', incoming.headers, Buffer.concat(chunks).toString());
        if (reply === 'never') return;
        const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
        outgoing.writeHead(reply.code ?? 200, { 'content-type': 'application/json', ...reply.headers });
        outgoing.end(text);
      });
    });
    return hook;
  }

  #replyTo(path: string, headers: Received['headers'], body: string): Reply | 'never' {
    const review: Review = JSON.parse(body);
    const isMarker = path.startsWith('/marker');
    if (isMarker || !isForeign(review)) this.#received.push({ path, headers, review });
    if (isMarker || isForeign(review)) return allowing(review);
    return (this.#responds.get(path.split('?')[0] ?? '') ?? allowing)(review);
  }

  on(path: string, respond: Respond): void {
    this.#responds.set(path, respond);
  }

  clientConfig(path: string): { readonly url: string; readonly caBundle: string } {
    return { url: `${this.url}${path}`, caBundle: this.caBundle };
  }

  /** A configuration of the case's own; what a webhook leaves out is filled in: ConfigMaps of the case, created. */
  configuration(kind: Kind, webhooks: readonly Record<string, unknown>[], name = 'hooks'): Record<string, unknown> {
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      metadata: { name: this.#t.own(name) },
      webhooks: webhooks.map((webhook, index) => ({
        name: `hook-${index}.example.com`,
        clientConfig: this.clientConfig(`/${index}`),
        rules: [ruleFor(['CREATE'], ['configmaps'])],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.#t.ns } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...webhook,
      })),
    };
  }

  /** Creates it and waits until requests meet it. */
  async install(kind: Kind, webhooks: readonly Record<string, unknown>[], name = 'hooks'): Promise<void> {
    const told = await this.write(kind, this.configuration(kind, webhooks, name));
    if (told.status !== 201) throw new Error(`the configuration was refused: ${told.body.toString()}`);
    await this.inEffect(kind);
  }

  /** Creates a configuration, unrecorded; it goes with the case. */
  async write(kind: Kind, configuration: Record<string, unknown>): Promise<Told> {
    const { name } = configuration.metadata as { name: string };
    this.#t.after(() => this.#t.quietly({ method: 'DELETE', path: `${pathOf(kind)}/${name}` }));
    return this.#t.quietly({ method: 'POST', path: pathOf(kind), body: configuration });
  }

  /** Whatever was written before is in effect when a marker that is written now is. */
  async inEffect(kind: Kind): Promise<void> {
    this.#markers += 1;
    const marker = `m${this.#markers}`;
    const webhook = {
      name: 'marker.example.com',
      clientConfig: this.clientConfig(`/marker-${marker}`),
      objectSelector: { matchLabels: { marker } },
    };
    const written = await this.write(kind, this.configuration(kind, [webhook], `0-marker-${marker}`));
    if (written.status !== 201) throw new Error(`the marker was refused: ${written.body.toString()}`);
    const body = { metadata: { name: marker, labels: { marker, asked: 'yes' } } };
    const path = `${await this.#t.in('configmaps')}?dryRun=All`;
    for (const until = Date.now() + EFFECT_DEADLINE_MS; ; await pause(EFFECT_POLL_MS)) {
      await this.#t.quietly({ method: 'POST', path, body });
      const [seen] = this.#take(({ path }) => path.startsWith(`/marker-${marker}?`));
      if (seen !== undefined) return;
      if (Date.now() > until) throw new Error('the configuration did not come into effect');
    }
  }

  /** Records what came in since, by path where several came at once, and forgets it. */
  told(): void {
    const all = [...this.#take(() => true)].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    for (const { path, review } of all) this.#t.note(`the webhook was asked at ${path}`, review);
    if (all.length === 0) this.#t.note('the webhook was asked', 'nothing');
  }

  /** The first of what came in since: the same may be asked again. */
  toldFirst(): void {
    const [first] = this.#take(() => true);
    this.#t.note('the webhook was asked first', first?.review);
  }

  /** Like `told`, where the object is one that is done and not stored. */
  toldWithoutObject(): void {
    for (const { review } of this.#take(() => true)) {
      const { object, ...request } = review.request;
      this.#t.note('the webhook was asked', { ...request, object: object.kind });
    }
  }

  /** Like `told`, only where: for cases about whether and how often. */
  askedAt(): void {
    const paths = this.#take(() => true).map(({ path, review }) => [
      path.split('?')[0],
      ...(review.request === undefined ? [] : [review.request.operation, review.request.name]),
    ]);
    this.#t.note('the webhook was asked', paths);
  }

  /** The same, each once: a write that meets a newer version is judged again, which is chance. */
  askedAbout(): void {
    const asked = this.#take(() => true).map(({ review: { request } }) => `${request.operation} ${request.name}`);
    this.#t.note('the webhook was asked about', [...new Set(asked)]);
  }

  /** Which objects were converted to which version; how often is nobody's promise. */
  conversions(): void {
    const asked = this.#take(() => true).flatMap(({ review: { request } }) =>
      request.objects.map((object: Review) => {
        const from = `${object.metadata.name} of ${object.apiVersion} ${JSON.stringify(object.spec)}`;
        return `${from} to ${request.desiredAPIVersion}`;
      }),
    );
    this.#t.note('the webhook converted', [...new Set(asked)].sort());
  }

  forget(): void {
    this.#received = [];
  }

  hasReceived(): boolean {
    return this.#received.length > 0;
  }

  /** Where, when several were asked at once. */
  askedInAnyOrder(): void {
    const paths = this.#take(() => true).map(({ path }) => path.split('?')[0]);
    this.#t.note('the webhooks were asked', paths.sort());
  }

  /** Where, and with which labels the object came: what one webhook makes, the next one sees. */
  labelsAt(): void {
    const seen = this.#take(() => true).map(({ path, review }) => [
      path.split('?')[0],
      Object.keys(review.request.object.metadata.labels).sort(),
    ]);
    this.#t.note('the webhooks saw labels', seen);
  }

  /** The headers of what came in since. */
  headers(): void {
    for (const { headers } of this.#take(() => true)) {
      const { host: _, 'content-length': __, connection: ___, ...rest } = headers;
      this.#t.note('headers of the request', rest);
    }
  }

  #take(which: (received: Received) => boolean): readonly Received[] {
    const taken = this.#received.filter(which);
    this.#received = this.#received.filter(received => !which(received));
    return taken;
  }
}

/** Not asked for by the case: a marker, or what a controller puts into every Namespace. */
const isForeign = ({ request }: Review): boolean =>
  request?.object?.metadata?.labels?.marker !== undefined || request?.name === 'kube-root-ca.crt';

export const ruleFor = (
  operations: readonly string[],
  resources: readonly string[],
  apiGroups: readonly string[] = [''],
  apiVersions: readonly string[] = ['v1'],
): Record<string, unknown> => ({ operations, resources, apiGroups, apiVersions });

export const pathOf = (kind: Kind): string => `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise(resolve => server.close(() => resolve()));
}
