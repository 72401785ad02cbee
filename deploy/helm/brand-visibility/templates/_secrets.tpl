{{/*
All generated secrets by name, as YAML. Values of an earlier revision are read from the cluster, so that an upgrade does
not change them. They are generated once per rendering, so that all templates use the same values.
*/}}
{{- define "bv.generated" -}}
{{- if not (hasKey .Release "bvGenerated") -}}
{{- $name := printf "%s-secrets" (include "bv.fullname" .) -}}
{{- $old := (lookup "v1" "Secret" .Release.Namespace $name).data | default dict -}}
{{- $generated := dict -}}
{{- $words := list "POSTGRES_PASSWORD" "REDIS_PASSWORD" "NATS_PASSWORD" "GATEWAY_DATABASE_PASSWORD" "CATALOG_DATABASE_PASSWORD" "RESULTS_DATABASE_PASSWORD" "SCANS_DATABASE_PASSWORD" "WEBHOOKS_DATABASE_PASSWORD" "CALLER_SECRETS" "OPERATOR_TOKEN" -}}
{{- /* The first character is a letter, because NATS parses a value that looks like a number as one. */ -}}
{{- range $words -}}
{{- $_ := set $generated . (hasKey $old . | ternary (index $old . | default "" | b64dec) (printf "w%s" (randAlphaNum 39))) -}}
{{- end -}}
{{- range list "CURSOR_KEYS" "KEY_PEPPERS" "IDEMPOTENCY_KEYS" "WEBHOOKS_SECRET_KEYS" -}}
{{- $_ := set $generated . (hasKey $old . | ternary (index $old . | default "" | b64dec) (printf "1:%s" (randBytes 32))) -}}
{{- end -}}
{{- $_ := set .Release "bvGenerated" $generated -}}
{{- end -}}
{{- .Release.bvGenerated | toYaml }}
{{- end }}

{{/* Content of the Secret of evaluation mode: the values that no existing Secret provides. */}}
{{- define "bv.secretData" -}}
{{- $v := .Values -}}
{{- $all := include "bv.generated" . | fromYaml -}}
{{- $fullname := include "bv.fullname" . -}}
{{- $data := dict -}}
{{- if not $v.secrets.existingSecret -}}
{{- range list "CALLER_SECRETS" "CURSOR_KEYS" "KEY_PEPPERS" "IDEMPOTENCY_KEYS" "WEBHOOKS_SECRET_KEYS" "OPERATOR_TOKEN" -}}
{{- $_ := set $data . (index $all .) -}}
{{- end -}}
{{- end -}}
{{- if not $v.postgres.existingSecret -}}
{{- range list "gateway" "catalog" "results" "scans" "webhooks" -}}
{{- $password := index $all (printf "%s_DATABASE_PASSWORD" (upper .)) -}}
{{- $_ := set $data (printf "%s_DATABASE_PASSWORD" (upper .)) $password -}}
{{- $_ := set $data (printf "%s_DATABASE_URL" (upper .)) (printf "postgres://bv_%s:%s@%s-postgres:5432/brand_visibility" . $password $fullname) -}}
{{- end -}}
{{- $_ := set $data "POSTGRES_PASSWORD" $all.POSTGRES_PASSWORD -}}
{{- $_ := set $data "ADMIN_DATABASE_URL" (printf "postgres://postgres:%s@%s-postgres:5432/postgres" $all.POSTGRES_PASSWORD $fullname) -}}
{{- end -}}
{{- if not $v.redis.existingSecret -}}
{{- $_ := set $data "REDIS_PASSWORD" $all.REDIS_PASSWORD -}}
{{- $_ := set $data "redis-auth.conf" (printf "requirepass %s\n" $all.REDIS_PASSWORD) -}}
{{- $_ := set $data "REDIS_URL" (printf "redis://:%s@%s-redis:6379/0" $all.REDIS_PASSWORD $fullname) -}}
{{- end -}}
{{- if not $v.nats.existingSecret -}}
{{- $_ := set $data "NATS_PASSWORD" $all.NATS_PASSWORD -}}
{{- $_ := set $data "NATS_URL" (printf "nats://brand-visibility:%s@%s-nats:4222" $all.NATS_PASSWORD $fullname) -}}
{{- end -}}
{{- if eq (include "bv.simulated" .) "true" -}}
{{- range list "CHATGPT" "PERPLEXITY" "GEMINI" "CLAUDE" "AI_OVERVIEWS" -}}
{{- $_ := set $data (printf "%s_API_KEY" .) "simulator" -}}
{{- end -}}
{{- end -}}
{{- toYaml $data }}
{{- end }}

{{/* The Secret that holds a group: (dict "root" $ "group" "secrets|postgres|redis|nats|platforms"). */}}
{{- define "bv.secretOf" -}}
{{- (index .root.Values .group).existingSecret | default (printf "%s-secrets" (include "bv.fullname" .root)) }}
{{- end }}

{{/* The key of a variable in the Secret of its group; takes root, group and key. */}}
{{- define "bv.secretKey" -}}
{{- index (index .root.Values .group).existingSecretKeys .key | default .key }}
{{- end }}

{{/* One variable from the Secret of a group; takes root, group and name. Optional are key, secret (another one) and optional. */}}
{{- define "bv.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | default (include "bv.secretOf" .) }}
      key: {{ include "bv.secretKey" (merge (dict "key" (.key | default .name)) .) }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}

{{/* DATABASE_URL of one service; takes (dict "root" $ "service" name). */}}
{{- define "bv.databaseEnv" -}}
{{ include "bv.secretEnv" (dict "root" .root "group" "postgres" "name" "DATABASE_URL" "key" (printf "%s_DATABASE_URL" (upper .service))) }}
{{- end }}

{{/* The variables that a component requires from Secrets. */}}
{{- define "bv.secretEnvs" -}}
{{- $root := .root -}}
{{ include "bv.databaseEnv" (dict "root" $root "service" .definition.service) }}
{{ include "bv.secretEnv" (dict "root" $root "group" "nats" "name" "NATS_URL") }}
{{- if has "redis" .definition.stores }}
{{ include "bv.secretEnv" (dict "root" $root "group" "redis" "name" "REDIS_URL") }}
{{ include "bv.secretEnv" (dict "root" $root "group" "redis" "name" "REDIS_SENTINELS" "optional" true) }}
{{- end }}
{{- range .definition.secrets }}
{{ include "bv.secretEnv" (dict "root" $root "group" "secrets" "name" .) }}
{{- end }}
{{- if and .definition.platforms (or $root.Values.platforms.existingSecret (eq (include "bv.simulated" $root) "true")) }}
{{- range list "CHATGPT" "PERPLEXITY" "GEMINI" "CLAUDE" "AI_OVERVIEWS" "SENTIMENT_JUDGE" }}
{{ include "bv.secretEnv" (dict "root" $root "group" "platforms" "name" (printf "%s_API_KEY" .) "optional" true) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Fails with a message for invalid combinations of values, before any object is created. */}}
{{- define "bv.check" -}}
{{- range list "secrets" "postgres" "redis" "nats" -}}
{{- if not (or $.Values.evaluation.enabled (index $.Values .).existingSecret) -}}
{{- fail (printf "\nbrand-visibility: %s.existingSecret names no Secret. Only evaluation.enabled=true, for a trial, does without." .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "\nbrand-visibility: httpRoute.parentRefs names no Gateway." -}}
{{- end -}}
{{- end }}
