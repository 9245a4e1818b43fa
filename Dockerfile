# One machine without Cloudflare: docs/self-hosting.md#one-machine. TLS is left to a proxy.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
COPY console/package.json console/
RUN npm install --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
# The Workers' calls to providers need the certificate authorities.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
COPY console/package.json console/
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY scripts scripts
COPY migrations migrations
COPY LICENSE ./
COPY --from=build /app/dist/serve dist/serve
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 STATE_DIR=/data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/serve.ts"]
