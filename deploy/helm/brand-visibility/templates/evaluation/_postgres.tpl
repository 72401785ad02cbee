{{- define "bv.evaluationPostgres" -}}
{{- with .Values.evaluation.postgres.command }}
command:
  {{- toYaml . | nindent 2 }}
{{- end }}
args:
  {{- toYaml .Values.evaluation.postgres.args | nindent 2 }}
env:
  {{- include "bv.secretEnv" (dict "root" . "group" "postgres" "name" "POSTGRES_PASSWORD") | nindent 2 }}
  - name: PGDATA
    value: /data/pgdata
startupProbe:
  exec:
    command: [pg_isready, --host=127.0.0.1, --username=postgres]
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 60
readinessProbe:
  exec:
    command: [pg_isready, --host=127.0.0.1, --username=postgres]
  periodSeconds: 5
  timeoutSeconds: 3
volumeMounts:
  - name: data
    mountPath: /data
  - name: run
    mountPath: /var/run/postgresql
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- define "bv.evaluationPostgresVolumes" -}}
- name: run
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- end }}
