{{- define "vademecum.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "vademecum.envoy" -}}
{{ .Files.Get "files/envoy.yaml" | replace "address: vademecum," (printf "address: %s," .Release.Name) }}
{{- end }}
