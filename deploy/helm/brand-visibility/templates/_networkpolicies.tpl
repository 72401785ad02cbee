{{/* One component of the release as a peer; takes root and component. */}}
{{- define "bv.peer" -}}
- podSelector:
    matchLabels:
      {{- include "bv.selector" . | nindent 6 }}
{{- end }}

{{/* Egress to a data store: that of the release, or the peers in the values; takes root and store. */}}
{{- define "bv.storeEgress" -}}
{{- $settings := index .root.Values .store -}}
{{- $own := and .root.Values.evaluation.enabled (not $settings.existingSecret) -}}
- ports:
    - { port: {{ int $settings.port }}, protocol: TCP }
    {{- with $settings.sentinelPort }}
    - { port: {{ int . }}, protocol: TCP }
    {{- end }}
  {{- if $own }}
  to:
    {{- include "bv.peer" (dict "root" .root "component" .store) | nindent 4 }}
  {{- else if $settings.networkPolicyTo }}
  to:
    {{- toYaml $settings.networkPolicyTo | nindent 4 }}
  {{- end }}
{{- end }}

{{/* All addresses outside the public internet, by the same definition as in the dispatcher. */}}
{{- define "bv.privateRanges" -}}
v4: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.0.2.0/24, 192.88.99.0/24, 192.168.0.0/16, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24, 224.0.0.0/3]
{{- /* Within 2000::/3, the public addresses of IPv6. */}}
v6: ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
{{- end }}

{{/* Egress to outside the cluster; takes ports and except (a list of further ranges). */}}
{{- define "bv.internetEgress" -}}
{{- $private := include "bv.privateRanges" . | fromYaml -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          {{- range $private.v4 }}
          - {{ . }}
          {{- end }}
          {{- range .except }}
          {{- if not (contains ":" .) }}
          - {{ . }}
          {{- end }}
          {{- end }}
    - ipBlock:
        cidr: 2000::/3
        except:
          {{- range $private.v6 }}
          - {{ . }}
          {{- end }}
          {{- range .except }}
          {{- if contains ":" . }}
          - {{ . }}
          {{- end }}
          {{- end }}
  ports:
    {{- range .ports }}
    - { port: {{ int . }}, protocol: TCP }
    {{- else }}
    - { port: 1, endPort: 65535, protocol: TCP }
    {{- end }}
{{- end }}

{{- define "bv.componentPolicy" -}}
{{- $root := .root -}}
{{- $np := $root.Values.networkPolicy -}}
{{- $c := .definition -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "bv.meta" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "bv.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if eq .component "gateway" }}
    - ports:
        - { port: http, protocol: TCP }
      {{- with $np.gatewayFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        {{- include "bv.peer" (dict "root" $root "component" "test") | nindent 8 }}
      {{- end }}
    - ports:
        - { port: operator, protocol: TCP }
      from:
        {{- if $np.operatorFrom }}
        {{- toYaml $np.operatorFrom | nindent 8 }}
        {{- else }}
        - podSelector:
            matchLabels:
              brand-visibility/operator: "true"
        {{- end }}
        {{- include "bv.peer" (dict "root" $root "component" "test") | nindent 8 }}
    {{- else if $c.port }}
    - ports:
        - { port: http, protocol: TCP }
      from:
        {{- include "bv.peer" (dict "root" $root "component" "gateway") | nindent 8 }}
    {{- end }}
    - ports:
        - { port: monitoring, protocol: TCP }
      from:
        {{- if $np.monitoringFrom }}
        {{- toYaml $np.monitoringFrom | nindent 8 }}
        {{- else }}
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: monitoring
        {{- end }}
        {{- include "bv.peer" (dict "root" $root "component" "test") | nindent 8 }}
  egress:
    {{- range $c.stores }}
    {{- include "bv.storeEgress" (dict "root" $root "store" .) | nindent 4 }}
    {{- end }}
    {{- if eq .component "gateway" }}
    {{- range $name, $definition := include "bv.components" $root | fromYaml }}
    {{- if and $definition.port (ne $name "gateway") }}
    - ports:
        - { port: {{ $definition.port }}, protocol: TCP }
      to:
        {{- include "bv.peer" (dict "root" $root "component" $name) | nindent 8 }}
    {{- end }}
    {{- end }}
    {{- else if eq .component "webhooks-dispatcher" }}
    {{- include "bv.internetEgress" (dict "ports" $np.dispatcherPorts "except" $np.dispatcherExcept) | nindent 4 }}
    {{- else if eq .component "scans-worker" }}
    {{- include "bv.internetEgress" (dict "ports" $np.workerPorts "except" $np.workerExcept) | nindent 4 }}
    {{- with $np.workerEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- if eq (include "bv.simulated" $root) "true" }}
    - ports:
        - { port: 8090, protocol: TCP }
      to:
        {{- include "bv.peer" (dict "root" $root "component" "simulator") | nindent 8 }}
    {{- end }}
    {{- end }}
    {{- if $root.Values.tracing.endpoint }}
    - ports:
        - { port: {{ int $root.Values.tracing.port }}, protocol: TCP }
      {{- with $root.Values.tracing.networkPolicyTo }}
      to:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
{{- end }}

{{/* A component of evaluation mode: ingress from its clients, no egress. */}}
{{- define "bv.evaluationPolicy" -}}
{{- $root := .root -}}
{{- $name := .name -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "bv.meta" (dict "root" $root "component" $name) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "bv.selector" (dict "root" $root "component" $name) | nindent 6 }}
  policyTypes: [Ingress]
  ingress:
    - ports:
        - { port: {{ .port }}, protocol: TCP }
      from:
        {{- range $component, $definition := include "bv.components" $root | fromYaml }}
        {{- if or (has $name $definition.stores) (and $definition.platforms (eq $name "simulator")) }}
        {{- include "bv.peer" (dict "root" $root "component" $component) | nindent 8 }}
        {{- end }}
        {{- end }}
        {{- if eq $name "postgres" }}
        {{- include "bv.peer" (dict "root" $root "component" "migrate") | nindent 8 }}
        {{- end }}
{{- end }}
