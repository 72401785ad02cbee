{{/* A single-node data store: a Service and a StatefulSet; takes root, name, port, container (YAML), volumes (YAML), uid. */}}
{{- define "bv.store" -}}
{{- $root := .root -}}
{{- $ctx := dict "root" $root "component" .name -}}
{{- $persistence := $root.Values.evaluation.persistence -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "bv.meta" $ctx | nindent 2 }}
spec:
  type: ClusterIP
  clusterIP: None
  {{- include "bv.ipFamilies" $root | nindent 2 }}
  # DNS resolves the name before the first pod is ready, for clients that wait for it.
  publishNotReadyAddresses: true
  selector:
    {{- include "bv.selector" $ctx | nindent 4 }}
  ports:
    - name: {{ .name }}
      port: {{ .port }}
      targetPort: store
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  {{- include "bv.meta" $ctx | nindent 2 }}
spec:
  replicas: 1
  serviceName: {{ include "bv.fullname" $root }}-{{ .name }}
  persistentVolumeClaimRetentionPolicy:
    whenDeleted: Delete
    whenScaled: Retain
  selector:
    matchLabels:
      {{- include "bv.selector" $ctx | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "bv.selector" $ctx | nindent 8 }}
        app.kubernetes.io/part-of: brand-visibility
      {{- with .checksum }}
      annotations:
        checksum/config: {{ . }}
      {{- end }}
    spec:
      terminationGracePeriodSeconds: 30
      {{- include "bv.pod" (dict "root" $root "settings" $root.Values.defaults "uid" .settings.uid) | nindent 6 }}
      containers:
        - name: {{ .name }}
          image: {{ include "bv.image" (dict "root" $root "image" .settings.image) }}
          imagePullPolicy: {{ .settings.image.pullPolicy | default $root.Values.image.pullPolicy }}
          ports:
            - name: store
              containerPort: {{ .port }}
          {{- .container | nindent 10 }}
          resources:
            {{- toYaml .settings.resources | nindent 12 }}
          securityContext:
            {{- toYaml $root.Values.defaults.securityContext | nindent 12 }}
      volumes:
        {{- .volumes | nindent 8 }}
        {{- if not $persistence.enabled }}
        - name: data
          emptyDir: {}
        {{- end }}
  {{- if $persistence.enabled }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $persistence.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ $persistence.size }}
  {{- end }}
{{- end }}
