// Who a Pod's processes are, and what they may do on their Node.

import type { Case } from '../frame/case.ts';
import { init, main, odd } from './odd.ts';

const pod = (securityContext: object): object => ({ securityContext });
const inMain = (securityContext: object): object => main({ securityContext });
const windows = (options: object): object => ({ windowsOptions: options });
const annotated = (annotations: object): object => ({ annotations });

export const security: readonly Case[] = [
  odd(
    'users and groups of a Pod are in range',
    ['user below zero', pod({ runAsUser: -1 })],
    ['user too large', pod({ runAsUser: 2147483648 })],
    ['group below zero', pod({ runAsGroup: -1 })],
    ['groups', pod({ fsGroup: -1, supplementalGroups: [1, -1, 2147483648] })],
    ['policies', pod({ fsGroupChangePolicy: 'x', supplementalGroupsPolicy: 'x', seLinuxChangePolicy: 'x' })],
    ['sound', pod({ runAsUser: 0, runAsGroup: 0, fsGroup: 0, fsGroupChangePolicy: 'Always', runAsNonRoot: true })],
    ['of a container', inMain({ runAsUser: -1, runAsGroup: -5 })],
    ['of an init container', init({ securityContext: { runAsUser: -1 } })],
  ),
  odd(
    'sysctls of a Pod have names of their own, and not those of the host',
    ['bad name', pod({ sysctls: [{ name: 'A b', value: '1' }] })],
    ['no name', pod({ sysctls: [{ name: '', value: '1' }] })],
    ['twice', pod({ sysctls: ['1', '2'].map(value => ({ name: 'kernel.shm_rmid_forced', value })) })],
    ['of the host network', { hostNetwork: true, ...pod({ sysctls: [{ name: 'net.core.somaxconn', value: '1' }] }) }],
    ['of the host IPC', { hostIPC: true, ...pod({ sysctls: [{ name: 'kernel.shmmax', value: '1' }] }) }],
    ['with slashes', pod({ sysctls: [{ name: 'net/ipv4/conf/eno2.100/rp_filter', value: '1' }] })],
  ),
  odd(
    'seccomp profiles are of a known type, and only local ones have a file',
    ['unknown type', pod({ seccompProfile: { type: 'x' } })],
    ['no type', pod({ seccompProfile: {} })],
    ['no file', pod({ seccompProfile: { type: 'Localhost' } })],
    ['absolute file', inMain({ seccompProfile: { type: 'Localhost', localhostProfile: '/a/../b' } })],
    ['file of another', inMain({ seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' } })],
    ['sound', inMain({ seccompProfile: { type: 'Localhost', localhostProfile: 'a/b' } })],
  ),
  odd(
    'AppArmor profiles are of a known type, and only local ones have a name',
    ['unknown type', pod({ appArmorProfile: { type: 'x' } })],
    ['no type', pod({ appArmorProfile: {} })],
    ['no name', pod({ appArmorProfile: { type: 'Localhost' } })],
    ['empty name', pod({ appArmorProfile: { type: 'Localhost', localhostProfile: '' } })],
    ['padded name', inMain({ appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } })],
    ['long name', inMain({ appArmorProfile: { type: 'Localhost', localhostProfile: 'a'.repeat(4096) } })],
    ['name of another', inMain({ appArmorProfile: { type: 'Unconfined', localhostProfile: 'a' } })],
    ['sound', pod({ appArmorProfile: { type: 'RuntimeDefault' } })],
  ),
  odd(
    'what a container may do does not contradict itself',
    ['privileged without escalation', inMain({ privileged: true, allowPrivilegeEscalation: false })],
    [
      'the same, and more',
      inMain({ privileged: true, allowPrivilegeEscalation: false, runAsUser: 5, procMount: 'Default' }),
    ],
    [
      'administrator',
      inMain({ allowPrivilegeEscalation: false, capabilities: { add: ['NET_ADMIN', 'CAP_SYS_ADMIN'] } }),
    ],
    ['unknown proc', inMain({ procMount: 'x' })],
    ['unmasked proc of the host', inMain({ procMount: 'Unmasked' })],
    ['unmasked proc of its own', { hostUsers: false, ...inMain({ procMount: 'Unmasked' }) }],
    ['sound', inMain({ privileged: true, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })],
  ),
  odd(
    'namespaces of the host exclude users of its own',
    ['network', { hostUsers: false, hostNetwork: true }],
    ['processes', { hostUsers: false, hostPID: true, hostIPC: true }],
    ['shared processes', { hostPID: true, shareProcessNamespace: true }],
    ['shared alone', { shareProcessNamespace: true }],
    ['alone', { hostUsers: false }],
  ),
  odd(
    'ports on the network of the host are those of the container',
    ['differ', { hostNetwork: true, ...main({ ports: [{ containerPort: 80, hostPort: 81 }] }) }],
    ['are filled in', { hostNetwork: true, ...main({ ports: [{ containerPort: 80 }] }) }],
    ['twice', main({ ports: [80, 81].map(containerPort => ({ containerPort, hostPort: 90 })) })],
    [
      'twice on addresses',
      main({ ports: ['1.1.1.1', '2.2.2.2'].map(hostIP => ({ containerPort: 80, hostPort: 90, hostIP })) }),
    ],
    ['address without port', main({ ports: [{ containerPort: 80, hostIP: '1.1.1.1' }] })],
    ['bad', main({ ports: [{ containerPort: 0, hostPort: 70000, protocol: 'x', name: 'A_b' }] })],
  ),
  odd(
    'the system of a Pod is known, and forbids what another has',
    ['unknown', { os: { name: 'bsd' } }],
    ['empty', { os: { name: '' } }],
    [
      'windows options on linux',
      {
        os: { name: 'linux' },
        ...pod(windows({ runAsUserName: 'a' })),
        ...main({ securityContext: windows({ runAsUserName: 'b' }) }),
      },
    ],
    [
      'linux fields of a windows Pod',
      {
        os: { name: 'windows' },
        hostUsers: true,
        hostPID: true,
        hostIPC: true,
        shareProcessNamespace: false,
        ...pod({
          appArmorProfile: { type: 'Unconfined' },
          seLinuxOptions: { level: 's0' },
          seccompProfile: { type: 'Unconfined' },
          fsGroup: 1,
          fsGroupChangePolicy: 'Always',
          sysctls: [{ name: 'a', value: 'b' }],
          runAsUser: 1,
          runAsGroup: 1,
          supplementalGroups: [1],
          supplementalGroupsPolicy: 'Merge',
          seLinuxChangePolicy: 'Recursive',
        }),
      },
    ],
    [
      'linux fields of a windows container',
      {
        os: { name: 'windows' },
        ...inMain({
          appArmorProfile: { type: 'Unconfined' },
          seLinuxOptions: { level: 's0' },
          seccompProfile: { type: 'Unconfined' },
          capabilities: { add: ['A'] },
          readOnlyRootFilesystem: false,
          privileged: false,
          allowPrivilegeEscalation: true,
          procMount: 'Default',
          runAsUser: 1,
          runAsGroup: 1,
        }),
      },
    ],
    ['sound linux', { os: { name: 'linux' } }],
    [
      'sound windows',
      { os: { name: 'windows' }, ...pod(windows({ runAsUserName: 'NT\\user', gmsaCredentialSpecName: 'a' })) },
    ],
  ),
  odd(
    'users of Windows are named as Windows names them',
    ['empty', pod(windows({ runAsUserName: '', gmsaCredentialSpec: '', gmsaCredentialSpecName: 'A b' }))],
    ['control', pod(windows({ runAsUserName: 'a\tb' }))],
    ['backslashes', pod(windows({ runAsUserName: 'a\\b\\c' }))],
    ['no user', pod(windows({ runAsUserName: 'a\\' }))],
    ['bad domain', pod(windows({ runAsUserName: '.a:b\\c' }))],
    ['dots', pod(windows({ runAsUserName: '. .' }))],
    ['signs', pod(windows({ runAsUserName: 'a@b' }))],
    ['long', pod(windows({ runAsUserName: `${'d'.repeat(256)}\\${'u'.repeat(105)}` }))],
  ),
  odd(
    'host processes of Windows are of all containers, on the network of the host',
    ['no network', pod(windows({ hostProcess: true }))],
    ['with network', { hostNetwork: true, ...pod(windows({ hostProcess: true })) }],
    ['one of two', { hostNetwork: true, ...init({}), ...main({ securityContext: windows({ hostProcess: true }) }) }],
    [
      'contradiction',
      { ...pod(windows({ hostProcess: false })), ...main({ securityContext: windows({ hostProcess: true }) }) },
    ],
  ),
  odd(
    'annotations of old say what fields say now',
    ['deletion cost', {}, annotated({ 'controller.kubernetes.io/pod-deletion-cost': 'x' })],
    ['large deletion cost', {}, annotated({ 'controller.kubernetes.io/pod-deletion-cost': '2147483648' })],
    ['padded deletion cost', {}, annotated({ 'controller.kubernetes.io/pod-deletion-cost': '01' })],
    ['plus deletion cost', {}, annotated({ 'controller.kubernetes.io/pod-deletion-cost': '+1' })],
    ['sound deletion cost', {}, annotated({ 'controller.kubernetes.io/pod-deletion-cost': '-10' })],
    ['seccomp', {}, annotated({ 'seccomp.security.alpha.kubernetes.io/pod': 'x' })],
    ['sound seccomp', {}, annotated({ 'seccomp.security.alpha.kubernetes.io/pod': 'localhost/a' })],
    [
      'seccomp of a container',
      {},
      annotated({ 'container.seccomp.security.alpha.kubernetes.io/main': 'localhost//a' }),
    ],
    [
      'sound seccomp of a container',
      {},
      annotated({ 'container.seccomp.security.alpha.kubernetes.io/main': 'unconfined' }),
    ],
    [
      'seccomp contradiction',
      pod({ seccompProfile: { type: 'Unconfined' } }),
      annotated({ 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' }),
    ],
    ['AppArmor of nobody', {}, annotated({ 'container.apparmor.security.beta.kubernetes.io/other': 'x' })],
    ['AppArmor', main({}), annotated({ 'container.apparmor.security.beta.kubernetes.io/main': 'x' })],
    ['sound AppArmor', main({}), annotated({ 'container.apparmor.security.beta.kubernetes.io/main': 'localhost/a' })],
    [
      'AppArmor contradiction',
      inMain({ appArmorProfile: { type: 'Unconfined' } }),
      annotated({ 'container.apparmor.security.beta.kubernetes.io/main': 'runtime/default' }),
    ],
    [
      'AppArmor names differ',
      inMain({ appArmorProfile: { type: 'Localhost', localhostProfile: 'a' } }),
      annotated({ 'container.apparmor.security.beta.kubernetes.io/main': 'localhost/b' }),
    ],
    [
      'old ones',
      {},
      annotated({ 'scheduler.alpha.kubernetes.io/critical-pod': '', 'security.alpha.kubernetes.io/sysctls': 'a' }),
    ],
    ['mirror on no Node', {}, annotated({ 'kubernetes.io/config.mirror': 'a' })],
    ['tolerations', {}, annotated({ 'scheduler.alpha.kubernetes.io/tolerations': '[{"operator":"x"}]' })],
  ),
];
