# The gateway, as `loopfuse gateway` runs it: docker build -t loopfuse . && docker run -p 127.0.0.1:8787:8787 …
FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && npm run build
# What runs needs no compilers, browsers or tests.
RUN npm ci --ignore-scripts --omit=dev --workspace @loopfuse/cli

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
USER node
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/cli/bin/loopfuse.js"]
# Beyond this container only with a token: -e LOOPFUSE_GATEWAY_TOKEN=…
CMD ["gateway", "--host", "0.0.0.0"]
