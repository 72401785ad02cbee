{{- define "bv.migrationPod" -}}
{{- $root := .root -}}
{{- $m := $root.Values.migrations -}}
metadata:
  labels:
    {{- include "bv.selector" (dict "root" $root "component" "migrate") | nindent 4 }}
    app.kubernetes.io/part-of: brand-visibility
spec:
  serviceAccountName: {{ include "bv.fullname" $root }}-migrate
  automountServiceAccountToken: false
  enableServiceLinks: false
  restartPolicy: Never
  {{- include "bv.pullSecrets" $root | nindent 2 }}
  securityContext:
    {{- include "bv.podSecurityContext" (dict "uid" 65532) | nindent 4 }}
  {{- include "bv.placement" (dict "settings" (omit $root.Values.defaults "topologySpreadConstraints") "selector" "") | nindent 2 }}
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
        {{- include "bv.secretEnv" (dict "name" (printf "%s_DATABASE_URL" .) "secret" $.postgresSecret) | nindent 8 }}
        {{- end }}
        {{- include "bv.secretEnv" (dict "name" "ADMIN_DATABASE_URL" "secret" .adminSecret "optional" (not $root.Values.postgres.adminExistingSecret)) | nindent 8 }}
        {{- with include "bv.caEnv" $root }}
        {{- . | nindent 8 }}
        {{- end }}
      resources:
        {{- toYaml $m.resources | nindent 8 }}
      securityContext:
        {{- include "bv.securityContext" . | nindent 8 }}
      {{- with include "bv.caMount" $root | trim }}
      volumeMounts:
        {{- . | nindent 8 }}
      {{- end }}
  {{- with include "bv.caVolume" $root | trim }}
  volumes:
    {{- . | nindent 4 }}
  {{- end }}
{{- end }}
