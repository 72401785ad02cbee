{{/* The Deployment of a component; takes (dict "root" $ "component" name "definition" map). */}}
{{- define "bv.deployment" -}}
{{- $root := .root -}}
{{- $c := .definition -}}
{{- $settings := include "bv.settings" (dict "root" $root "values" $c.values) | fromYaml -}}
{{- $config := include "bv.config" (dict "root" $root "component" .component "definition" $c "settings" $settings) -}}
{{- $ctx := dict "root" $root "component" .component "definition" $c "settings" $settings "env" ($config | fromYaml) -}}
{{- $selector := include "bv.selector" $ctx -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "bv.meta" $ctx | nindent 2 }}
spec:
  {{- if not (or $settings.autoscaling.enabled $settings.keda.enabled) }}
  replicas: {{ include "bv.replicas" $ctx }}
  {{- end }}
  revisionHistoryLimit: {{ int $settings.revisionHistoryLimit }}
  strategy:
    {{- ternary (pick $settings.strategy "type") $settings.strategy (eq $settings.strategy.type "Recreate") | toYaml | nindent 4 }}
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
  template:
    metadata:
      labels:
        {{- $selector | nindent 8 }}
        app.kubernetes.io/part-of: brand-visibility
        {{- with $settings.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ $config | sha256sum }}
        {{- if $root.Values.evaluation.enabled }}
        checksum/secrets: {{ include "bv.secretData" $root | sha256sum }}
        {{- end }}
        {{- with $settings.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      terminationGracePeriodSeconds: {{ include "bv.gracePeriod" $ctx }}
      {{- include "bv.pod" (merge (dict "selector" $selector) $ctx) | nindent 6 }}
      {{- $wait := eq (include "bv.migrationStrategy" $root) "job" }}
      {{- if or $wait $settings.extraInitContainers }}
      initContainers:
        {{- with $settings.extraInitContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- if $wait }}
        {{- include "bv.waitForSchema" $ctx | nindent 8 }}
        {{- end }}
      {{- end }}
      containers:
        - name: {{ .component }}
          {{- include "bv.container" $ctx | nindent 10 }}
        {{- with $settings.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- $volumes := printf "%s\n%s" (include "bv.caVolume" $root) (include "bv.credsVolume" $ctx) | trim }}
      {{- if or $volumes $settings.extraVolumes }}
      volumes:
        {{- with $volumes }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with $settings.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
{{- end }}

{{- define "bv.container" -}}
{{- $root := .root -}}
{{- $s := .settings -}}
image: {{ include "bv.image" (dict "root" $root "image" $s.image) }}
imagePullPolicy: {{ $s.image.pullPolicy | default $root.Values.image.pullPolicy }}
ports:
  {{- if .definition.port }}
  - name: http
    containerPort: {{ .definition.port }}
  {{- end }}
  {{- if .definition.operatorPort }}
  - name: operator
    containerPort: {{ .definition.operatorPort }}
  {{- end }}
  - name: monitoring
    containerPort: {{ .definition.monitoringPort }}
envFrom:
  - configMapRef:
      name: {{ include "bv.fullname" $root }}-{{ .component }}
  {{- with $s.extraEnvFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
env:
  {{- with include "bv.nodeOptions" $s }}
  - name: NODE_OPTIONS
    value: {{ . | quote }}
  {{- end }}
  {{- include "bv.secretEnvs" . | nindent 2 }}
  {{- with include "bv.caEnv" $root }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with $s.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- include "bv.probes" . }}
lifecycle:
  preStop:
    sleep:
      seconds: {{ int $s.preStopSeconds }}
resources:
  {{- toYaml $s.resources | nindent 2 }}
securityContext:
  {{- toYaml $s.securityContext | nindent 2 }}
{{- $mounts := printf "%s\n%s" (include "bv.caMount" $root) (include "bv.credsMount" .) | trim }}
{{- if or $mounts $s.extraVolumeMounts }}
volumeMounts:
  {{- with $mounts }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with $s.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end }}
