// `--feature-gates` of kube-apiserver: what each gate is set to there unless told otherwise, which is what is built in here.

import { goTruth } from '../../apiserver/rules/go-truth.ts';
import { defineError } from '../../base/errors.ts';

const gateUnknown = defineError('PIPPIN_E_ENVTEST_GATE', {
  retry: 'never',
  remedy: 'Leave it out of --feature-gates; the gates are those of the Kubernetes version that /version tells',
  // In the words of the real program, because users look for these.
  says: (why: string) => `--feature-gates: ${why}`,
});

const gateFixed = defineError('PIPPIN_E_ENVTEST_GATE_FIXED', {
  retry: 'never',
  remedy: 'Leave it out, or test against the real kube-apiserver what depends on it',
  says: (name: string, value: string) => `--feature-gates: ${name} cannot be set to ${value} here`,
});

/** Refuses what the real server refuses, and what it would change. */
export function checkFeatureGates(settings: readonly string[]): void {
  for (const setting of settings) {
    const [name = '', value] = setting.split('=', 2).map(part => part.trim());
    if (value === undefined) throw gateUnknown(`missing bool value for ${name}`);
    const wanted = goTruth(value);
    if (wanted === undefined) {
      throw gateUnknown(
        `invalid value of ${name}=${value}, err: strconv.ParseBool: parsing "${value}": invalid syntax`,
      );
    }
    const usual = usualOf(name);
    if (usual === undefined) throw gateUnknown(`unrecognized feature gate: ${name}`);
    if (usual !== wanted) throw gateFixed(name, value);
  }
}

/** Undefined: there is no such gate. */
function usualOf(name: string): 'true' | 'false' | 'neither' | undefined {
  if (ON.has(name)) return 'true';
  if (OFF.has(name)) return 'false';
  return name === 'AllBeta' ? 'neither' : undefined;
}

const namesIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** As Kubernetes 1.36 has them: `kubernetes_feature_enabled` of its metrics. */
const ON = namesIn(`
  APIResponseCompression APIServerIdentity APIServerTracing AggregatedDiscoveryRemoveBetaType
  AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
  AtomicFIFO AuthorizeNodeWithSelectors AuthorizePodWebsocketUpgradeCreatePermission AuthorizeWithSelectors
  BtreeWatchCache CPUManagerPolicyBetaOptions CPUManagerPolicyOptions CRDObservedGenerationTracking
  CRDValidationRatcheting CSIServiceAccountTokenSecrets ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation
  ClientsAllowTLSCacheGC ComponentFlagz ComponentStatusz ConsistentListFromCache ConstrainedImpersonation
  ContainerCheckpoint ContainerRestartRules ContextualLogging CustomCPUCFSQuotaPeriod CustomResourceFieldSelectors
  DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints DRAExtendedResource
  DRAPartitionableDevices DRAPrioritizedList DRAResourceClaimDeviceStatus
  DRAResourceClaimGranularStatusAuthorization DRASchedulerFilterTimeout DeclarativeValidation
  DeclarativeValidationBeta DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency
  DisableAllocatorDualWrite DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion DynamicResourceAllocation
  EnvFiles ExecProbeTimeout ExtendWebSocketsToKubelet ExternalServiceAccountTokenSigner GracefulNodeShutdown
  GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HostnameOverride ImageMaximumGCAge ImageVolume
  InOrderInformers InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScaling
  InPlacePodVerticalScalingInitContainers InformerResourceVersion JobBackoffLimitPerIndex JobManagedBy
  JobPodReplacementPolicy JobSuccessPolicy KubeletCgroupDriverFromCRI KubeletCrashLoopBackOffMax
  KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz KubeletPSI KubeletPodResourcesDynamicResources
  KubeletPodResourcesGet KubeletPodResourcesListUseActivePods KubeletSeparateDiskGC
  KubeletServiceAccountTokenForCredentialProviders KubeletTracing ListFromCacheSnapshot LogarithmicScaleDown
  LoggingBetaOptions MatchLabelKeysInPodAffinity MatchLabelKeysInPodTopologySpread
  MatchLabelKeysInPodTopologySpreadSelectorMerge MultiCIDRServiceAllocator MutableCSINodeAllocatableCount
  MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy
  NFTablesProxyMode NodeDeclaredFeatures NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap
  NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching OrderedNamespaceDeletion PLEGOnDemandRelist
  PodDeletionCost PodLevelResources PodLifecycleSleepAction PodLifecycleSleepActionAllowZero
  PodObservedGenerationTracking PodReadyToStartContainersCondition PodSchedulingReadiness PodTopologyLabelsAdmission
  PortForwardWebsockets PreferSameTrafficDistribution PreventStaticPodAPIReferences ProcMountType
  RecoverVolumeExpansionFailure RecursiveReadOnlyMounts RelaxedDNSSearchValidation
  RelaxedEnvironmentVariableValidation RelaxedServiceNameValidation ReloadKubeletClientCAFile
  ReloadKubeletServerCertificateFile RemoteRequestHeaderUID ResilientWatchCacheInitialization ResourceHealthStatus
  ResourceHealthStatusMessage RestartAllContainersOnContainerExits RetryGenerateName RotateKubeletServerCertificate
  SELinuxChangePolicy SELinuxMountReadWriteOncePod SchedulerAsyncPreemption SchedulerPopFromBackoffQ
  SchedulerQueueingHints SeparateTaintEvictionController ServiceAccountNodeAudienceRestriction
  ServiceAccountTokenJTI ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation
  ServiceAccountTokenPodNodeInfo ServiceCIDRStatusFieldWiping SidecarContainers SizeBasedListCostEstimate
  StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
  StaleControllerConsistencyStatefulSet StatefulSetSemanticRevisionComparison StorageNamespaceIndex
  StorageVersionHash StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StrictIPCIDRValidation
  StructuredAuthenticationConfiguration StructuredAuthenticationConfigurationEgressSelector
  StructuredAuthenticationConfigurationJWKSMetrics SupplementalGroupsPolicy SystemdWatchdog
  TokenRequestServiceAccountUIDValidation TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions
  TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy
  UnlockWhileProcessingFIFO UserNamespacesSupport VolumeAttributesClass WatchCacheInitializationPostStartHook
  WatchList WatchListClient WinDSR WinOverlay WindowsGracefulNodeShutdown
`);

const OFF = namesIn(`
  AllAlpha
  APIServingWithRoutine AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
  AllowOverwriteTerminationGracePeriodSeconds AllowUnsafeMalformedObjectDeletion CBORServingAndStorage
  CPUManagerPolicyAlphaOptions CRIListStreaming CSIVolumeHealth ChangeContainerStatusOnKubeletRestart
  ClientsAllowCBOR ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation
  CloudControllerManagerWebhook ClusterTrustBundle ClusterTrustBundleProjection ConcurrentWatchObjectDecode
  ContainerStopSignals ControllerManagerReleaseLeaderElectionLockOnExit CoordinatedLeaderElection
  CrossNamespaceVolumeDataSource DRADeviceTaintRules DRAListTypeAttributes DRANodeAllocatableResources
  DRAResourcePoolStatus DRAWorkloadResourceClaims DeclarativeValidationTakeover EventedPLEG GangScheduling
  GenericWorkload GitRepoVolumeDriver HPAScaleToZero ImageVolumeWithDigest InPlacePodVerticalScalingExclusiveCPUs
  InPlacePodVerticalScalingExclusiveMemory KMSv1 KubeletInUserNamespace KubeletRegistrationGetOnExistsOnly
  LocalStorageCapacityIsolationFSQuotaMonitoring LoggingAlphaOptions ManifestBasedAdmissionControlConfig
  MaxUnavailableStatefulSet MemoryQoS MutablePVNodeAffinity NativeHistograms PersistentVolumeClaimUnusedSinceTime
  PodAndContainerStatsFromCRI PodCertificateRequest PodLevelResourceManagers PodLogsQuerySplitStreams PodsAPI
  QOSReserved ReduceDefaultCrashLoopBackOffDecay RuntimeClassInImageCriApi SELinuxMount SchedulerAsyncAPICalls
  SeparateCacheWatchRPC ShardedListAndWatch StorageCapacityScoring StorageVersionAPI StorageVersionMigrator
  TaintTolerationComparisonOperators TopologyAwareWorkloadScheduling TopologyManagerPolicyAlphaOptions
  UserNamespacesHostNetworkSupport VolumeLimitScaling WindowsCPUAndMemoryAffinity WindowsHostNetwork
  WorkloadAwarePreemption WorkloadWithJob
`);
