# One target per image: gateway, catalog, results, scans, webhooks, migrate, operator, simulator (deploy/docker/README.md).
# Without an image registry, set BASE_IMAGE (Node with npm) and RUNTIME_IMAGE (glibc and libstdc++).
ARG BASE_IMAGE=node:24.21.0-bookworm-slim
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${BASE_IMAGE} AS base
WORKDIR /src
COPY deploy/docker/with-ca /usr/local/bin/
COPY package.json ./
RUN --mount=type=secret,id=ca_certificates \
  with-ca npm install --global --no-fund --no-audit \
  "$(node -p "require('./package.json').packageManager")"

# Compiled once for all targets. Node can run the sources directly, but starts a third more slowly.
FROM base AS compiled
COPY . .
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca pnpm install --frozen-lockfile --ignore-scripts --store-dir /pnpm/store
RUN node_modules/.bin/tsc -b services/gateway services/catalog services/results services/scans services/webhooks \
  libs/migrator clients/operator-cli tools/platform-simulator

FROM compiled AS assembled
# Time of the last commit, so that builds of the same sources are identical.
ARG SOURCE_DATE_EPOCH=0

FROM assembled AS gateway-files
RUN node --conditions=@bv/source tools/codegen/src/write-operator-document.ts && \
  clients/explorer/node_modules/.bin/vite build clients/explorer && \
  node docs/.vitepress/build.ts && \
  node --conditions=@bv/source scripts/pack-clients.ts
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/gateway services/gateway/lua docs/openapi.json docs/openapi-operator.json docs/api-catalog.json docs/dist docs/guides docs/downloads clients/explorer/dist/page

FROM assembled AS catalog-files
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/catalog

FROM assembled AS results-files
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/results libs/extraction/words

FROM assembled AS scans-files
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/scans libs/extraction/words libs/extraction/labels services/scans/test/bodies

FROM assembled AS webhooks-files
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/webhooks

FROM assembled AS migrate-files
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/migrator services/gateway/migrations services/catalog/migrations \
  services/results/migrations services/scans/migrations services/webhooks/migrations

FROM assembled AS operator-files
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/operator-cli

FROM assembled AS simulator-files
RUN --mount=type=secret,id=ca_certificates --mount=type=cache,id=bv-pnpm,target=/pnpm \
  with-ca deploy/docker/assemble @bv/platform-simulator libs/extraction/words

# A constant date, so that all images of all versions share this layer.
FROM assembled AS node-files
RUN mkdir -p /out/app /out/usr/local/bin && cp /usr/local/bin/node /out/usr/local/bin/ && \
  find /out -exec touch --no-dereference --date @0 {} +

# Only Node: no npm and no compiler. Node is process 1 and handles its signals itself.
FROM ${RUNTIME_IMAGE} AS runtime
COPY --from=node-files /out /
ENV NODE_ENV=production SERVICE_HOST=0.0.0.0 OPERATOR_HOST=0.0.0.0
USER 65532:65532
WORKDIR /app
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="Brand Visibility" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"

FROM runtime AS service
STOPSIGNAL SIGTERM
# register.js imports OpenTelemetry only if an OTLP endpoint is set.
ENTRYPOINT ["node", "--import", "/app/libs/telemetry/dist/register.js"]

FROM service AS gateway
LABEL org.opencontainers.image.title="gateway" \
  org.opencontainers.image.description="Edge and operator API of the Brand Visibility Data API"
COPY --from=gateway-files /out /
EXPOSE 8080 8090 9080
# Large pages for Node's own code: at half load the edge often executes code that is not cached (docs/performance.md).
CMD ["--use-largepages=silent", "services/gateway/dist/main.js"]

FROM service AS catalog
LABEL org.opencontainers.image.title="catalog" \
  org.opencontainers.image.description="Organisations, brands and prompts of the Brand Visibility Data API"
COPY --from=catalog-files /out /
EXPOSE 8081 9081
CMD ["services/catalog/dist/main.js"]

FROM service AS results
LABEL org.opencontainers.image.title="results" \
  org.opencontainers.image.description="Mentions, scores and sources of the Brand Visibility Data API"
COPY --from=results-files /out /
EXPOSE 8082 9082
CMD ["services/results/dist/main.js"]

FROM service AS scans
LABEL org.opencontainers.image.title="scans" \
  org.opencontainers.image.description="Scan jobs and their workers of the Brand Visibility Data API"
COPY --from=scans-files /out /
EXPOSE 8083 9083
CMD ["services/scans/dist/main.js"]

FROM service AS webhooks
LABEL org.opencontainers.image.title="webhooks" \
  org.opencontainers.image.description="Webhook endpoints and deliveries of the Brand Visibility Data API"
COPY --from=webhooks-files /out /
EXPOSE 8084 9084
CMD ["services/webhooks/dist/main.js"]

FROM runtime AS migrate
LABEL org.opencontainers.image.title="migrate" \
  org.opencontainers.image.description="Prepares the databases of the Brand Visibility Data API"
COPY --from=migrate-files /out /
ENTRYPOINT ["node", "libs/migrator/dist/main.js"]

FROM runtime AS operator
LABEL org.opencontainers.image.title="operator" \
  org.opencontainers.image.description="Operator command line of the Brand Visibility Data API"
COPY --from=operator-files /out /
ENTRYPOINT ["node", "clients/operator-cli/dist/main.js"]

FROM runtime AS simulator
ENV SIMULATOR_HOST=0.0.0.0
STOPSIGNAL SIGTERM
LABEL org.opencontainers.image.title="simulator" \
  org.opencontainers.image.description="Imitates the AI platforms for evaluations of the Brand Visibility Data API"
COPY --from=simulator-files /out /
EXPOSE 8090
ENTRYPOINT ["node", "tools/platform-simulator/dist/main.js"]
