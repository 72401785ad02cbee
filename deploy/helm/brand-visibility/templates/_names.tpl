{{- define "bv.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* At most 32 characters, so that a name with the longest suffix has at most 63. */}}
{{- define "bv.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 32 | trimSuffix "-" }}
{{- else if contains (include "bv.name" .) .Release.Name }}
{{- .Release.Name | trunc 32 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "bv.name" .) | trunc 32 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "bv.chart" -}}
{{- printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "bv.releaseSelector" -}}
app.kubernetes.io/name: {{ include "bv.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Selector of the pods of one component; takes (dict "root" $ "component" name). */}}
{{- define "bv.selector" -}}
{{ include "bv.releaseSelector" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Labels of every object; takes the same. */}}
{{- define "bv.labels" -}}
helm.sh/chart: {{ include "bv.chart" .root }}
{{ include "bv.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: brand-visibility
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Metadata of an object; takes (dict "root" $ "component" name "name" suffix "annotations" map). Further labels may follow. */}}
{{- define "bv.meta" -}}
name: {{ include "bv.fullname" .root }}-{{ .name | default .component }}
namespace: {{ .root.Release.Namespace }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
labels:
  {{- include "bv.labels" . | nindent 2 }}
{{- end }}

{{/* Reference of an image from its settings and the global ones; takes (dict "root" $ "image" map). */}}
{{- define "bv.image" -}}
{{- $all := .root.Values.image -}}
{{- $registry := .image.registry | default $all.registry -}}
{{- $repository := .image.repository -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ $repository }}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default $all.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "bv.ipFamilies" -}}
{{- range $key := list "ipFamilyPolicy" "ipFamilies" }}
{{- with index $.Values $key }}
{{ dict $key . | toYaml }}
{{- end }}
{{- end }}
{{- end }}

{{/* The address for all connections: `::` also accepts IPv4, but fails on a node without IPv6. */}}
{{- define "bv.listenAddress" -}}
{{- ternary "::" "0.0.0.0" (or (has "IPv6" .Values.ipFamilies) (contains "DualStack" .Values.ipFamilyPolicy)) }}
{{- end }}
