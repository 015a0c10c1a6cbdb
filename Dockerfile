# Publish the ports on loopback:
#
#   docker build -t vademecum .
#   docker run --rm -v vademecum-data:/data -p 127.0.0.1:50051:50051 -p 127.0.0.1:8080:8080 vademecum
#
# The server listens on all addresses of its container, so --insecure is given. The published ports
# decide who can reach it. Before you publish them to other machines, mount credentials and a
# certificate, and set VADEMECUM_CREDENTIALS, VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY
# (docs/operate/security.md). With the command `serve` instead of the default, the server refuses to start
# without credentials and TLS.
#
# Set the addresses with -e VADEMECUM_GRPC and VADEMECUM_HTTP, not with flags. The health check reads
# the same variables, and uses TLS if the server does. If the server requires client certificates,
# the health check needs one:
#
#   --health-cmd 'node dist/main.js health --tls-cert /secrets/probe.pem --tls-key /secrets/probe.key'
#
# Other commands: docker run --rm -v vademecum-data:/data vademecum verify

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY scripts ./scripts
COPY gen ./gen
COPY console ./console
COPY src ./src
RUN npm run build

# Not the slim image: hnswlib-node, which is optional, is compiled here.
FROM node:24-bookworm AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY scripts ./scripts
# For `--embedder minilm` and `onnx`. The package brings its library for every system.
RUN node scripts/onnx-runtime.mjs --omit=dev
RUN rm -rf node_modules/onnxruntime-node/bin/napi-v6/darwin node_modules/onnxruntime-node/bin/napi-v6/win32

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
# Variables instead of flags, because the health check reads them too, and -e can change them.
ENV VADEMECUM_DATA=/data VADEMECUM_GRPC=0.0.0.0:50051 VADEMECUM_HTTP=0.0.0.0:8080
COPY package.json LICENSE NOTICE ./
COPY gen ./gen
COPY models ./models
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 50051 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s CMD ["node", "dist/main.js", "health"]
ENTRYPOINT ["node", "dist/main.js"]
# --insecure is no variable, so that other commands and manifests do not inherit it.
CMD ["serve", "--insecure"]
