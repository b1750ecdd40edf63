{{/* The file of the apps: what each serves and reads. */}}
{{- define "kb.apps" -}}
{{- .Files.Get "files/apps.yaml" -}}
{{- end -}}

{{/* The name of every object of this release, or the beginning of it. */}}
{{- define "kb.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* The labels by which Services and policies select pods: root, name. */}}
{{- define "kb.selector" -}}
app.kubernetes.io/name: kb
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* All labels of an object: root, name. */}}
{{- define "kb.labels" -}}
{{ include "kb.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{/* The metadata of an object whose name is that of the release and its own: root, name. */}}
{{- define "kb.metadata" -}}
name: {{ include "kb.name" .root }}-{{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "kb.labels" . | nindent 2 }}
{{- end -}}

{{/* The image of an app: root, name. */}}
{{- define "kb.image" -}}
{{ required "Set images.repository to where the images are, such as ghcr.io/owner/kb" .root.Values.images.repository }}/{{ .name }}:{{ .root.Values.images.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* The public origin. */}}
{{- define "kb.origin" -}}
{{ required "Set appUrl to the public origin, such as https://kb.example.com" .Values.appUrl }}
{{- end -}}

{{/* The host of the public origin. */}}
{{- define "kb.host" -}}
{{ regexReplaceAll ":[0-9]+$" (trimPrefix "https://" (include "kb.origin" .)) "" }}
{{- end -}}

{{/* A variable that comes from the Secret: root, variable. */}}
{{- define "kb.fromSecret" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secretName }}
      key: {{ .variable }}
      optional: {{ not (has .variable (list "DATABASE_URL" "REDIS_URL" "APP_SECRET")) }}
{{- end -}}

{{/* The environment of an app: root, app. Only what its file of variables names. Kubernetes replaces $(NAME), unless it is $$(NAME). */}}
{{- define "kb.environment" -}}
{{- $root := .root -}}
- name: APP_URL
  value: {{ include "kb.origin" $root | quote }}
{{- range $variable := .app.settings }}
{{- if hasKey $root.Values.settings $variable }}
- name: {{ $variable }}
  value: {{ get $root.Values.settings $variable | replace "$(" "$$(" | quote }}
{{- end }}
{{- end }}
{{- range $variable := .app.secrets }}
{{ include "kb.fromSecret" (dict "root" $root "variable" $variable) }}
{{- end }}
{{- end -}}

{{/* The settings of every pod: it runs as the user of the images, and nothing in it reaches the API of Kubernetes. */}}
{{- define "kb.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The settings of every container: root, name of the image. */}}
{{- define "kb.container" -}}
image: {{ include "kb.image" . | quote }}
imagePullPolicy: {{ .root.Values.images.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: data, mountPath: /data }
{{- end -}}

{{/* The folders that a container may write to: root, app. */}}
{{- define "kb.volumes" -}}
- name: tmp
  emptyDir: {}
- name: data
{{- if and .root.Values.files.existingClaim (has "S3_BUCKET" .app.settings) }}
  persistentVolumeClaim: { claimName: {{ .root.Values.files.existingClaim }} }
{{- else }}
  emptyDir: {}
{{- end }}
{{- end -}}

{{/* The pod of a command of kb with all settings: root, name, resources, and the command or the arguments as YAML. */}}
{{- define "kb.commandPod" -}}
{{- $kb := .root.Files.Get "files/kb.yaml" | fromYaml -}}
{{ include "kb.pod" .root }}
serviceAccountName: {{ include "kb.name" .root }}
containers:
  - name: {{ .name }}
    {{- include "kb.container" (dict "root" .root "name" "kb") | nindent 4 }}
    {{- .start | nindent 4 }}
    env:
      {{- include "kb.environment" (dict "root" .root "app" $kb) | nindent 6 }}
    resources:
      {{- toYaml .resources | nindent 6 }}
volumes:
  {{- include "kb.volumes" (dict "root" .root "app" $kb) | nindent 2 }}
{{- end -}}
