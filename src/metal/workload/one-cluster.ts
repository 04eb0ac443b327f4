// One workload cluster: its kubeconfig, read again when it changes and after a 401, and the connection that it leads to.

import { seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Api } from '../../kube/api.ts';
import type { ClusterAccess } from '../../kube/cluster-access.ts';
import type { Node } from '../../kube/core/node.ts';
import { Secret } from '../../kube/core/other.ts';
import { keyText, type ObjectKey } from '../../kube/object.ts';
import type { Transport } from '../../kube/transport.ts';
import { type Connection, type ConnectionSeams, type Hearing, openConnection } from './connection.ts';
import { kubeconfigIn, kubeconfigReason, kubeconfigSecretOf, workloadAccess } from './kubeconfig.ts';
import type { WorkloadView } from './port.ts';

/** While a cluster is not known its Secret is read again after this long: it may bear no label to be watched by (metal-W3). */
const RETRY_MS = seconds(30);

/** A server that answers 401 to everything causes no more reads of the Secret than this. */
const REREAD_MS = seconds(5);

export interface ClusterSeams extends ConnectionSeams {
  /** The management cluster, where the Secret is. */
  readonly api: Api;
  /** A transport to the cluster that the credentials lead to. */
  readonly dial: (access: ClusterAccess) => Transport;
}

/** A connection that takes longer is worth telling; most take less, and all begin when a manager does. */
const NEW_MS = seconds(10);

interface Trouble {
  readonly reason: string;
  readonly why: string;
}

export class OneCluster {
  private readonly cluster: ObjectKey;
  private readonly seams: ClusterSeams;
  private readonly changed: (node?: Node) => void;
  private readonly source: string;
  private connection: Connection | undefined;
  private text: string | undefined;
  private trouble: Trouble | undefined = { reason: 'Connecting', why: 'its kubeconfig is being read' };
  private isReading = false;
  private isStale = false;
  /** Counts connections: what an earlier one still tells is not heard. */
  private generation = 0;
  private isClosed = false;
  private lastReadMs = Number.NEGATIVE_INFINITY;
  private connectingSinceMs: number;
  private cancelTimer: () => void = () => undefined;

  constructor(cluster: ObjectKey, seams: ClusterSeams, changed: (node?: Node) => void) {
    this.cluster = cluster;
    this.seams = seams;
    this.changed = changed;
    this.source = `Secret ${keyText({ ...cluster, name: kubeconfigSecretOf(cluster.name) })}`;
    this.connectingSinceMs = seams.clock.monotonic();
    this.lookAgain();
  }

  view(): WorkloadView {
    const { connection, trouble } = this;
    if (trouble === undefined && connection !== undefined) {
      return { known: true, api: connection.api, nodes: connection.nodes };
    }
    const why = trouble ?? CONNECTING;
    return { known: false, ...why, ...(this.isNew(why) ? { isNew: true } : {}) };
  }

  private isNew({ reason }: Trouble): boolean {
    return reason === CONNECTING.reason && this.seams.clock.monotonic() - this.connectingSinceMs < NEW_MS;
  }

  /** Reads the Secret; while a read goes on, once more after it. */
  lookAgain(): void {
    if (this.isClosed) return;
    this.isStale = this.isReading;
    if (this.isReading) return;
    this.isReading = true;
    this.lastReadMs = this.seams.clock.monotonic();
    this.read().then(
      () => this.afterRead(),
      () => this.afterRead(), // an answer that did not come says nothing against credentials that work
    );
  }

  close(): void {
    this.isClosed = true;
    this.cancelTimer();
    this.connection?.close();
    this.connection = undefined;
  }

  private afterRead(): void {
    this.isReading = false;
    if (this.isStale) this.lookAgain();
    else if (this.trouble !== undefined) this.lookAgainAfter(RETRY_MS);
  }

  private lookAgainAfter(ms: number): void {
    this.cancelTimer();
    if (!this.isClosed) this.cancelTimer = this.seams.clock.after(ms, () => this.lookAgain());
  }

  private async read(): Promise<void> {
    const { namespace = '', name } = this.cluster;
    const secret = await this.seams.api
      .find(Secret, { namespace, name: kubeconfigSecretOf(name) })
      .catch((error: unknown) => {
        if (this.connection === undefined) this.unread(error);
        throw error;
      });
    const text = kubeconfigIn(secret);
    if (this.isClosed || (text !== undefined && text === this.text)) return;
    this.disconnect();
    this.text = text;
    if (text === undefined) return this.say({ reason: 'KubeconfigMissing', why: `${this.source} has no kubeconfig` });
    await this.reconnect(text);
  }

  private unread(error: unknown): void {
    this.text = undefined;
    this.say({ reason: 'KubeconfigUnread', why: `${this.source} cannot be read: ${messageOf(error)}` });
  }

  private async reconnect(text: string): Promise<void> {
    const { seams } = this;
    if (this.trouble?.reason !== CONNECTING.reason) this.connectingSinceMs = seams.clock.monotonic();
    this.say(CONNECTING);
    try {
      const access = await workloadAccess(text, this.source, seams.clock);
      if (!this.isClosed) this.connection = openConnection(seams.dial(access), seams, this.hearing());
    } catch (error) {
      this.say({ reason: kubeconfigReason(error), why: messageOf(error) });
    }
  }

  private disconnect(): void {
    this.generation++;
    this.connection?.close();
    this.connection = undefined;
  }

  private hearing(): Hearing {
    const { generation } = this;
    const mine = (): boolean => !this.isClosed && generation === this.generation;
    return {
      answered: () => {
        if (mine() && this.trouble !== undefined && this.connection?.nodes.synced) this.say(undefined);
      },
      synced: () => {
        if (mine()) this.say(undefined);
      },
      failed: (reason, why) => {
        if (mine()) this.say({ reason, why });
      },
      unauthorized: () => {
        if (!mine()) return;
        this.say({ reason: 'Unauthorized', why: `its API refuses the credentials of ${this.source}` });
        const waitedMs = this.seams.clock.monotonic() - this.lastReadMs;
        if (waitedMs >= REREAD_MS) this.lookAgain();
        else this.lookAgainAfter(REREAD_MS - waitedMs);
      },
      nodeChanged: node => {
        if (mine() && this.trouble === undefined) this.changed(node);
      },
    };
  }

  private say(trouble: Trouble | undefined): void {
    const { trouble: before } = this;
    this.trouble = trouble;
    if (this.isClosed || (before?.reason === trouble?.reason && before?.why === trouble?.why)) return;
    const fields = { cluster: keyText(this.cluster), ...trouble };
    if (trouble === undefined) this.seams.log.info('A workload cluster is known', fields);
    else this.seams.log.warn('A workload cluster is not known', fields);
    this.changed();
  }
}

const CONNECTING: Trouble = { reason: 'Connecting', why: 'its Nodes are being listed' };
