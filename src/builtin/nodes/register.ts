// Which Nodes there are, as far as people were told: each once when it comes, and once when it goes.

import type { Events } from '../../kube/controller.ts';
import type { Node } from '../../kube/core/node.ts';
import type { KubeObject } from '../../kube/object.ts';

const COMPONENT = 'node-controller';

export class Register {
  /** By name, with what an Event needs to be about it. */
  private readonly known = new Map<string, KubeObject>();

  enter({ apiVersion, kind, metadata: { name, uid } }: Node, events: Events): void {
    const before = this.known.get(name);
    if (before !== undefined && before.metadata.uid === uid) return;
    if (before !== undefined) this.remove(name, events);
    const node = { apiVersion, kind, metadata: { name, ...(uid === undefined ? {} : { uid }) } };
    this.known.set(name, node);
    events.normal(node, 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`, COMPONENT);
  }

  remove(name: string, events: Events): void {
    const node = this.known.get(name);
    if (node === undefined) return;
    this.known.delete(name);
    events.normal(node, 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`, COMPONENT);
  }
}
