{{/*
The components of the product with their service, their key in the values, their ports and secrets. A component without
`port` has no public listener.
*/}}
{{- define "bv.components" -}}
gateway:
  service: gateway
  values: gateway
  port: 8080
  operatorPort: 8090
  monitoringPort: 9080
  secrets: [CALLER_SECRETS, CURSOR_KEYS, KEY_PEPPERS, IDEMPOTENCY_KEYS, OPERATOR_TOKEN]
  stores: [postgres, nats, redis]
catalog:
  service: catalog
  values: catalog
  port: 8081
  monitoringPort: 9081
  secrets: [CALLER_SECRETS, CURSOR_KEYS]
  stores: [postgres, nats]
results:
  service: results
  values: results
  port: 8082
  monitoringPort: 9082
  secrets: [CALLER_SECRETS, CURSOR_KEYS]
  stores: [postgres, nats]
scans:
  service: scans
  values: scans
  port: 8083
  monitoringPort: 9083
  secrets: [CALLER_SECRETS]
  stores: [postgres, nats]
scans-worker:
  service: scans
  values: scansWorker
  monitoringPort: 9083
  secrets: [CALLER_SECRETS]
  stores: [postgres, nats]
  platforms: true
webhooks:
  service: webhooks
  values: webhooks
  port: 8084
  monitoringPort: 9084
  secrets: [CALLER_SECRETS, CURSOR_KEYS, WEBHOOKS_SECRET_KEYS]
  stores: [postgres, nats]
webhooks-dispatcher:
  service: webhooks
  values: webhooksDispatcher
  monitoringPort: 9084
  secrets: [CALLER_SECRETS, CURSOR_KEYS, WEBHOOKS_SECRET_KEYS]
  stores: [postgres]
{{- end }}

{{/* The values of a component merged over the defaults; takes (dict "root" $ "values" key). As YAML. */}}
{{- define "bv.settings" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values .values)) | toYaml }}
{{- end }}

{{- define "bv.replicas" -}}
{{- $replicas := .settings.replicas -}}
{{- if kindIs "invalid" $replicas }}{{ ternary 1 2 .root.Values.evaluation.enabled }}{{ else }}{{ int $replicas }}{{ end }}
{{- end }}

{{/*
The environment without secrets, as in docs/configuration.md. The schema of `config` rejects the variables that the chart
sets itself (addresses, ports, roles).
*/}}
{{- define "bv.config" -}}
{{- $fullname := include "bv.fullname" .root -}}
{{- $c := .definition -}}
{{- $env := dict "SERVICE_HOST" (include "bv.listenAddress" .root) "MONITORING_PORT" (toString $c.monitoringPort) "NODE_ENV" "production" -}}
{{- if $c.port }}{{ $_ := set $env "PORT" (toString $c.port) }}{{ end -}}
{{- if and .root.Values.nats.credsSecret (has "nats" $c.stores) }}{{ $_ := set $env "NATS_CREDS_FILE" "/etc/brand-visibility/nats/nats.creds" }}{{ end -}}
{{- if eq .component "gateway" -}}
{{- $_ := set $env "OPERATOR_HOST" $env.SERVICE_HOST -}}
{{- /* All pods share one node there, so the stores respond more slowly while a rollout starts them. */ -}}
{{- if .root.Values.evaluation.enabled }}{{ $_ := set $env "REDIS_TIMEOUT_MS" "1000" }}{{ $_ := set $env "EDGE_DATABASE_TIMEOUT_MS" "5000" }}{{ end -}}
{{- if or .root.Values.ingress.enabled .root.Values.httpRoute.enabled }}{{ $_ := set $env "TRUSTED_PROXY_COUNT" "1" }}{{ end -}}
{{- with .root.Values.ingress -}}
{{- if and .enabled .tls .hosts (not (contains "*" (first .hosts))) }}{{ $_ := set $env "PUBLIC_URL" (printf "https://%s" (first .hosts)) }}{{ end -}}
{{- end -}}
{{- $_ := set $env "OPERATOR_PORT" (toString $c.operatorPort) -}}
{{- range $name, $port := dict "catalog" 8081 "results" 8082 "scans" 8083 "webhooks" 8084 -}}
{{- $_ := set $env (printf "%s_URL" (upper $name)) (printf "http://%s-%s:%d" $fullname $name $port) -}}
{{- end -}}
{{- else if eq .component "scans" -}}
{{- $_ := set $env "WORKER_CONCURRENCY" "0" -}}
{{- else if eq .component "scans-worker" -}}
{{- $_ := set $env "PORT" "8083" -}}
{{- $_ := set $env "SCHEDULE_INTERVAL_MS" "0" -}}
{{- if eq (include "bv.simulated" .root) "true" -}}
{{- $base := printf "http://%s-simulator:%d" $fullname 8090 -}}
{{- range $platform, $path := dict "CHATGPT" "openai" "PERPLEXITY" "perplexity" "GEMINI" "gemini" "CLAUDE" "anthropic" "AI_OVERVIEWS" "serpapi" -}}
{{- $_ := set $env (printf "%s_BASE_URL" $platform) (printf "%s/%s" $base $path) -}}
{{- end -}}
{{- $_ := set $env "PERPLEXITY_API" "agent" -}}
{{- end -}}
{{- else if eq .component "webhooks" -}}
{{- $_ := set $env "ROLE" "api" -}}
{{- else if eq .component "webhooks-dispatcher" -}}
{{- $_ := set $env "ROLE" "dispatcher" -}}
{{- end -}}
{{- range $name, $value := .settings.config -}}
{{- if not (kindIs "invalid" $value) }}{{ $_ := set $env $name (kindIs "float64" $value | ternary (printf "%v" $value | include "bv.number") (toString $value)) }}{{ end -}}
{{- end -}}
{{- if .root.Values.tracing.endpoint -}}
{{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" .root.Values.tracing.endpoint -}}
{{- $_ := set $env "OTEL_SERVICE_NAME" .component -}}
{{- $_ := set $env "OTEL_TRACES_SAMPLER" "parentbased_traceidratio" -}}
{{- $_ := set $env "OTEL_TRACES_SAMPLER_ARG" (toString .root.Values.tracing.sampleRatio) -}}
{{- end -}}
{{- toYaml $env }}
{{- end }}

{{/* Helm parses 86400000 as 8.64e+07; this prints integers with all digits. */}}
{{- define "bv.number" -}}
{{- if contains "e+" . }}{{ printf "%d" (int64 (float64 .)) }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* A memory quantity in MiB, for the heap limit. */}}
{{- define "bv.mebibytes" -}}
{{- $text := toString . -}}
{{- if hasSuffix "Gi" $text }}{{ mulf (trimSuffix "Gi" $text | float64) 1024 | int }}
{{- else if hasSuffix "Mi" $text }}{{ trimSuffix "Mi" $text | float64 | int }}
{{- else if hasSuffix "G" $text }}{{ mulf (trimSuffix "G" $text | float64) 953 | int }}
{{- else if hasSuffix "M" $text }}{{ mulf (trimSuffix "M" $text | float64) 0.953 | int }}
{{- else }}0{{ end }}
{{- end }}

{{/* NODE_OPTIONS: the heap limit is three quarters of the memory limit; the rest is for buffers and the runtime. */}}
{{- define "bv.nodeOptions" -}}
{{- $options := list -}}
{{- $limit := include "bv.mebibytes" (dig "limits" "memory" "" .resources) | int -}}
{{- if gt $limit 0 }}{{ $options = append $options (printf "--max-old-space-size=%d" (div (mul $limit 3) 4)) }}{{ end -}}
{{- with .nodeOptions }}{{ $options = append $options . }}{{ end -}}
{{- join " " $options }}
{{- end }}

{{/* Covers the preStop pause, the drain, the forced exit after 10 s, and a reserve. */}}
{{- define "bv.gracePeriod" -}}
{{- if .settings.terminationGracePeriodSeconds }}{{ int .settings.terminationGracePeriodSeconds }}
{{- else }}{{ add (int .settings.preStopSeconds) (div (int (.env.DRAIN_MS | default "3000")) 1000) 15 }}{{ end }}
{{- end }}

{{- define "bv.simulated" -}}
{{- and .Values.evaluation.enabled .Values.evaluation.simulator.enabled (not .Values.platforms.existingSecret) }}
{{- end }}

{{/* `job` in evaluation mode, where Postgres is part of the release; otherwise `hook`. */}}
{{- define "bv.migrationStrategy" -}}
{{- .Values.migrations.strategy | default (ternary "job" "hook" .Values.evaluation.enabled) }}
{{- end }}
