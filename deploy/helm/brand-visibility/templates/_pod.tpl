{{/*
Fields of a pod by the settings of a component, or by `defaults`; takes root and settings. Optional are component (name of
the ServiceAccount), selector (for the topology spread) and uid (the user that the image of a data store needs).
*/}}
{{- define "bv.pod" -}}
{{- $root := .root -}}
{{- $s := .settings -}}
automountServiceAccountToken: false
{{- $account := $root.Values.serviceAccount }}
{{- $own := ternary (printf "%s-%s" (include "bv.fullname" $root) .component) "" (hasKey . "component") }}
serviceAccountName: {{ ternary $own $account.name $account.create | default "default" }}
enableServiceLinks: false
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- $context := deepCopy $s.podSecurityContext }}
{{- with .uid }}
{{- $context = merge (dict "runAsUser" (int .) "runAsGroup" (int .) "fsGroup" (int .)) $context }}
{{- end }}
{{- if $root.Values.openshift }}
{{- $context = omit $context "runAsUser" "runAsGroup" "fsGroup" }}
{{- end }}
securityContext:
  {{- toYaml $context | nindent 2 }}
{{- range $key := list "priorityClassName" "runtimeClassName" "hostAliases" "dnsPolicy" "dnsConfig" "nodeSelector" "tolerations" "affinity" }}
{{- with index $s $key }}
{{ dict $key . | toYaml }}
{{- end }}
{{- end }}
{{- if and .selector $s.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range $s.topologySpreadConstraints }}
  - {{ merge (deepCopy .) (dict "labelSelector" (dict "matchLabels" ($.selector | fromYaml))) | toYaml | nindent 4 | trim }}
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

{{- define "bv.credsVolume" -}}
{{- if .env.NATS_CREDS_FILE }}
- name: nats-creds
  secret:
    secretName: {{ .root.Values.nats.credsSecret }}
    items: [{ key: nats.creds, path: nats.creds }]
{{- end }}
{{- end }}

{{- define "bv.credsMount" -}}
{{- if .env.NATS_CREDS_FILE }}
- name: nats-creds
  mountPath: /etc/brand-visibility/nats
  readOnly: true
{{- end }}
{{- end }}

{{/* Waits until the database has the migrations of the pod's image. */}}
{{- define "bv.waitForSchema" -}}
{{- $root := .root -}}
- name: wait-for-schema
  image: {{ include "bv.image" (dict "root" $root "image" $root.Values.migrations.image) }}
  imagePullPolicy: {{ $root.Values.migrations.image.pullPolicy | default $root.Values.image.pullPolicy }}
  env:
    - name: WAIT_FOR
      value: {{ .definition.service }}
    - name: WAIT_MS
      value: "600000"
    {{- include "bv.databaseEnv" (dict "root" $root "service" .definition.service) | nindent 4 }}
    {{- include "bv.caEnv" $root | nindent 4 }}
  resources:
    {{- toYaml $root.Values.migrations.resources | nindent 4 }}
  securityContext:
    {{- toYaml .settings.securityContext | nindent 4 }}
  {{- with include "bv.caMount" $root }}
  volumeMounts:
    {{- . | nindent 4 }}
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
