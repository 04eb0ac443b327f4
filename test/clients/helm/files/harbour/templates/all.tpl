apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
data:
  greeting: {{ .Values.greeting | quote }}
  {{- if .Capabilities.APIVersions.Has "apps/v1/Deployment" }}
  served: deployments
  {{- end }}
  kubernetes: {{ .Capabilities.KubeVersion.Version }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  clusterIP: None
  selector:
    app: {{ .Release.Name }}
  ports:
    - port: 80
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels:
    app.kubernetes.io/managed-by: {{ .Release.Service }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      app: {{ .Release.Name }}
  template:
    metadata:
      labels:
        app: {{ .Release.Name }}
    spec:
      containers:
        - name: harbour
          image: {{ .Values.image }}
---
apiVersion: harbour.example/v1
kind: Boat
metadata:
  name: {{ .Release.Name }}-boat
spec:
  sails: {{ .Values.replicas }}
{{- $known := lookup "v1" "ConfigMap" .Release.Namespace "known" }}
{{- if $known }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-knows
data: {{ $known.data | toJson }}
{{- end }}
