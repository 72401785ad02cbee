{{/* Annotations of the objects that run before an install or upgrade; takes the weight. */}}
{{- define "bv.migrationHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{- define "bv.migrationPod" -}}
{{- $root := .root -}}
{{- $m := $root.Values.migrations -}}
metadata:
  labels:
    {{- include "bv.selector" (dict "root" $root "component" "migrate") | nindent 4 }}
    app.kubernetes.io/part-of: brand-visibility
spec:
  restartPolicy: Never
  {{- include "bv.pod" (dict "root" $root "component" "migrate" "settings" $root.Values.defaults) | nindent 2 }}
  {{- with $m.extraInitContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: migrate
      image: {{ include "bv.image" (dict "root" $root "image" $m.image) }}
      imagePullPolicy: {{ $m.image.pullPolicy | default $root.Values.image.pullPolicy }}
      env:
        {{- range $name, $value := $m.config }}
        - name: {{ $name }}
          value: {{ $value | toString | quote }}
        {{- end }}
        {{- range list "GATEWAY" "CATALOG" "RESULTS" "SCANS" "WEBHOOKS" }}
        {{- include "bv.secretEnv" (dict "root" $root "group" "postgres" "name" (printf "%s_DATABASE_URL" .)) | nindent 8 }}
        {{- end }}
        {{- $admin := $root.Values.postgres.adminExistingSecret }}
        {{- include "bv.secretEnv" (dict "root" $root "group" "postgres" "name" "ADMIN_DATABASE_URL" "secret" $admin "optional" (not $admin)) | nindent 8 }}
        {{- with include "bv.caEnv" $root }}
        {{- . | nindent 8 }}
        {{- end }}
      resources:
        {{- toYaml $m.resources | nindent 8 }}
      securityContext:
        {{- toYaml $root.Values.defaults.securityContext | nindent 8 }}
      {{- with include "bv.caMount" $root | trim }}
      volumeMounts:
        {{- . | nindent 8 }}
      {{- end }}
  {{- with include "bv.caVolume" $root | trim }}
  volumes:
    {{- . | nindent 4 }}
  {{- end }}
{{- end }}
