{{- define "bv.evaluationNatsConfig" -}}
host: {{ include "bv.listenAddress" . | quote }}
port: 4222
http_port: 8222
jetstream {
  store_dir: /data
  max_file_store: 1GB
}
authorization {
  user: brand-visibility
  password: $NATS_PASSWORD
}
{{- end }}

{{- define "bv.evaluationNats" -}}
command:
  {{- toYaml .Values.evaluation.nats.command | nindent 2 }}
args: [--config, /etc/nats/nats.conf]
env:
  {{- include "bv.secretEnv" (dict "root" . "group" "nats" "name" "NATS_PASSWORD") | nindent 2 }}
startupProbe:
  httpGet:
    path: /healthz
    port: 8222
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet:
    path: /healthz
    port: 8222
  periodSeconds: 5
volumeMounts:
  - name: data
    mountPath: /data
  - name: config
    mountPath: /etc/nats
    readOnly: true
{{- end }}

{{- define "bv.evaluationNatsVolumes" -}}
- name: config
  configMap:
    name: {{ include "bv.fullname" . }}-nats
{{- end }}
