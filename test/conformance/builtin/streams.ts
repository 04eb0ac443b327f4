// pods/exec, attach and portforward: conversations with containers on the Node, by WebSocket and by SPDY.

import type { Case } from '../frame/case.ts';
import { bySpdy, byWebSocket, forwarded } from '../frame/conversing.ts';
import { OLDER_NODE } from '../frame/kubelet.ts';
import { allowed, aPod, podsIn } from '../frame/prepared.ts';
import { boundPod } from './logs.ts';

const command = (...words: readonly string[]): string =>
  words.map(word => `command=${encodeURIComponent(word)}`).join('&');
const OUTPUT = 'stdout=true&stderr=true';
const EXIT_3 = command('sh', '-c', 'echo out; echo err >&2; exit 3');
/** How v5.channel.k8s.io says that stdin has ended. */
const END_OF_INPUT = [255, new Uint8Array([0])] as const;

export const streams: readonly Case[] = [
  {
    says: 'exec over a WebSocket answers output, errors and the exit code each on its channel',
    steps: async t => {
      const pod = await boundPod(t);
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${EXIT_3}`);
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${command('echo', 'well', 'done')}`);
      await byWebSocket(t, `${pod}/exec?stdout=true&${command('nonsense')}`);
    },
  },
  {
    says: 'exec over a WebSocket takes input until the client says that it is at its end',
    steps: async t => {
      const pod = await boundPod(t);
      const send = [[0, 'one\n'], [0, 'two\n'], END_OF_INPUT] as const;
      await byWebSocket(t, `${pod}/exec?stdin=true&stdout=true&${command('cat')}`, { send });
    },
  },
  {
    says: 'exec with a terminal is told its size',
    steps: async t => {
      const pod = await boundPod(t);
      const size = JSON.stringify({ Width: 80, Height: 24 });
      const send = [[4, size], END_OF_INPUT] as const;
      await byWebSocket(t, `${pod}/exec?stdin=true&stdout=true&tty=true&${command('size')}`, { send });
    },
  },
  {
    says: 'exec on a Node whose kubelet speaks SPDY alone is translated',
    steps: async t => {
      const pod = await boundPod(t, 'p', { nodeName: OLDER_NODE });
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${EXIT_3}`);
      const send = [[0, 'one\n'], END_OF_INPUT] as const;
      await byWebSocket(t, `${pod}/exec?stdin=true&stdout=true&${command('cat')}`, { send });
    },
  },
  {
    says: 'exec over SPDY answers each stream by itself',
    steps: async t => {
      const pod = await boundPod(t);
      await bySpdy(t, `${pod}/exec?${OUTPUT}&${EXIT_3}`, ['error', 'stdout', 'stderr']);
      await bySpdy(t, `${pod}/exec?stdin=true&stdout=true&${command('cat')}`, ['error', 'stdin', 'stdout'], 'hello');
    },
  },
  {
    says: 'exec that does not ask for an upgrade is refused',
    steps: async t => {
      const pod = await boundPod(t);
      await t.get(`${pod}/exec?${OUTPUT}&${command('true')}`);
      await t.post(`${pod}/exec?${OUTPUT}&${command('true')}`, undefined);
      await t.put(`${pod}/exec?${OUTPUT}&${command('true')}`, {});
      await t.get(`${pod}/exec?${OUTPUT}&${command('true')}&dryRun=All`);
    },
  },
  {
    says: 'exec with no stream at all is refused by the kubelet',
    steps: async t => {
      const pod = await boundPod(t);
      await byWebSocket(t, `${pod}/exec?${command('true')}`);
    },
  },
  {
    says: 'exec in a container that is not there, or on a Pod that is not bound, is refused',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      await byWebSocket(t, `${pods}/p/exec?${OUTPUT}&container=other&${command('true')}`);
      await byWebSocket(t, `${pods}/p/exec?${OUTPUT}&${command('true')}`);
      await byWebSocket(t, `${pods}/absent/exec?${OUTPUT}&${command('true')}`);
      const two = ['one', 'two'].map(name => ({ name, image: 'example.com/x:1' }));
      const pod = await boundPod(t, 'both', { containers: two });
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${command('true')}`);
    },
  },
  {
    says: 'exec of a Pod that the kubelet does not know is refused in its words',
    steps: async t => {
      const pod = await boundPod(t, 'gone');
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${command('true')}`);
      await bySpdy(t, `${pod}/exec?${OUTPUT}&${command('true')}`, ['error', 'stdout', 'stderr']);
    },
  },
  {
    says: 'exec by who may get but not create it is forbidden also over a WebSocket',
    steps: async t => {
      const pod = await boundPod(t);
      const rules = [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['get'] }];
      const roles = await t.in('roles', '/apis/rbac.authorization.k8s.io/v1');
      await t.quietly({ method: 'POST', path: roles, body: { metadata: { name: 'looks' }, rules } });
      const body = {
        metadata: { name: 'looks' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'looks' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
      };
      await t.quietly({ method: 'POST', path: roles.replace(/roles$/, 'rolebindings'), body });
      await allowed(t, 'eve', { namespace: t.ns, verb: 'get', resource: 'pods', subresource: 'exec' });
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${command('true')}`, { as: { user: 'eve' } });
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${command('true')}`, { as: { user: 'mallory' } });
    },
  },
  {
    says: 'attach speaks with the main process',
    steps: async t => {
      const pod = await boundPod(t);
      const send = [[0, 'anybody there?'], END_OF_INPUT] as const;
      await byWebSocket(t, `${pod}/attach?stdin=true&stdout=true`, { send });
      await byWebSocket(t, `${pod}/attach?stdout=true&container=other`);
      await bySpdy(t, `${pod}/attach?stdin=true&stdout=true`, ['error', 'stdin', 'stdout'], 'still there?');
    },
  },
  {
    says: 'portforward reaches a port through SPDY in a WebSocket, on newer and older Nodes',
    steps: async t => {
      const pod = await boundPod(t);
      await forwarded(t, `${pod}/portforward`, 'tunnel', { port: 7, text: 'echo' });
      const older = await boundPod(t, 'older', { nodeName: OLDER_NODE });
      await forwarded(t, `${older}/portforward`, 'tunnel', { port: 7, text: 'echo' });
    },
  },
  {
    says: 'portforward over plain SPDY says when nobody listens',
    steps: async t => {
      const pod = await boundPod(t);
      await forwarded(t, `${pod}/portforward`, 'spdy', { port: 80, text: 'GET / HTTP/1.0\r\n\r\n' });
      await forwarded(t, `${pod}/portforward`, 'spdy', { port: 81, text: 'GET / HTTP/1.0\r\n\r\n' });
    },
  },
  {
    says: 'portforward on a Pod that is not bound, or not there, is refused',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      await forwarded(t, `${pods}/p/portforward`, 'tunnel', { port: 7, text: 'echo' });
      await forwarded(t, `${pods}/absent/portforward`, 'spdy', { port: 7, text: 'echo' });
      await t.get(`${pods}/p/portforward`);
      const pod = await boundPod(t, 'bound');
      await t.post(`${pod}/portforward`, undefined);
    },
  },
  {
    says: 'portforward by the channels of an older WebSocket client begins with the port on each',
    steps: async t => {
      const pod = await boundPod(t);
      const send = [[0, 'GET / HTTP/1.0\r\n\r\n']] as const;
      await byWebSocket(t, `${pod}/portforward?ports=80`, { protocols: ['v4.channel.k8s.io'], send });
    },
  },
  {
    says: 'exec by the channels of a v4 client ends the same way',
    steps: async t => {
      const pod = await boundPod(t);
      await byWebSocket(t, `${pod}/exec?${OUTPUT}&${EXIT_3}`, { protocols: ['v4.channel.k8s.io'] });
    },
  },
];
