{{- define "bv.evaluationRedisConfig" -}}
dir /data
appendonly yes
# The gateway requires noeviction: it does not count in a Redis that may evict counters.
maxmemory-policy noeviction
include /etc/redis/auth/redis-auth.conf
{{- end }}

{{- define "bv.evaluationRedis" -}}
command:
  {{- toYaml .Values.evaluation.redis.command | nindent 2 }}
args: [/etc/redis/config/redis.conf]
startupProbe:
  tcpSocket:
    port: store
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  tcpSocket:
    port: store
  periodSeconds: 5
volumeMounts:
  - name: data
    mountPath: /data
  - name: config
    mountPath: /etc/redis/config
    readOnly: true
  - name: auth
    mountPath: /etc/redis/auth
    readOnly: true
{{- end }}

{{- define "bv.evaluationRedisVolumes" -}}
- name: config
  configMap:
    name: {{ include "bv.fullname" . }}-redis
- name: auth
  secret:
    secretName: {{ include "bv.secretOf" (dict "root" . "group" "redis") }}
    items: [{ key: redis-auth.conf, path: redis-auth.conf }]
{{- end }}
