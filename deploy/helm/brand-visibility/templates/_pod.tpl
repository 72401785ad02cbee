{{- define "bv.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: {{ .uid }}
runAsGroup: {{ .uid }}
fsGroup: {{ .uid }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "bv.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "bv.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "bv.caVolume" -}}
{{- with .Values.trustedCa }}
{{- if or .configMap .secret }}
- name: trusted-ca
  {{- if .configMap }}
  configMap:
    name: {{ .configMap }}
    items: [{ key: {{ .key }}, path: ca.crt }]
  {{- else }}
  secret:
    secretName: {{ .secret }}
    items: [{ key: {{ .key }}, path: ca.crt }]
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "bv.caMount" -}}
{{- if or .Values.trustedCa.configMap .Values.trustedCa.secret }}
- name: trusted-ca
  mountPath: /etc/brand-visibility/ca
  readOnly: true
{{- end }}
{{- end }}

{{- define "bv.caEnv" -}}
{{- if or .Values.trustedCa.configMap .Values.trustedCa.secret }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/brand-visibility/ca/ca.crt
{{- end }}
{{- end }}

{{/* Scheduling of pods; takes the settings and the selector. */}}
{{- define "bv.placement" -}}
{{- $s := .settings -}}
{{- with $s.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $s.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $s.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $s.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $i, $constraint := $s.topologySpreadConstraints }}
{{- if eq $i 0 }}
topologySpreadConstraints:
{{- end }}
  - {{ merge (deepCopy $constraint) (dict "labelSelector" (dict "matchLabels" ($.selector | fromYaml))) | toYaml | nindent 4 | trim }}
{{- end }}
{{- end }}

{{/* Waits until the database has the migrations of the pod's image. */}}
{{- define "bv.waitForSchema" -}}
{{- $root := .root -}}
initContainers:
  - name: wait-for-schema
    image: {{ include "bv.image" (dict "root" $root "image" $root.Values.migrations.image) }}
    imagePullPolicy: {{ $root.Values.migrations.image.pullPolicy | default $root.Values.image.pullPolicy }}
    env:
      - name: WAIT_FOR
        value: {{ .definition.service }}
      - name: WAIT_MS
        value: "600000"
      {{- include "bv.databaseEnv" (dict "root" $root "service" .definition.service) | nindent 6 }}
      {{- include "bv.caEnv" $root | nindent 6 }}
    resources:
      {{- toYaml $root.Values.migrations.resources | nindent 6 }}
    securityContext:
      {{- include "bv.securityContext" . | nindent 6 }}
    {{- with include "bv.caMount" $root }}
    volumeMounts:
      {{- . | nindent 6 }}
    {{- end }}
{{- end }}

{{- define "bv.probes" -}}
{{- range $name, $probe := .settings.probes }}
{{ $name }}:
  httpGet:
    path: {{ dict "startupProbe" "/startupz" "livenessProbe" "/livez" "readinessProbe" "/readyz" | dig $name "" }}
    port: monitoring
  {{- toYaml $probe | nindent 2 }}
{{- end }}
{{- end }}
