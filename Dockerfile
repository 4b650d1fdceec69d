# Contextful for a team: servers and workers. Built from a clone; see docs/TEAM.md.
FROM node:22-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && mkdir /packed && npm run pack /packed

FROM node:22-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git openssh-client ca-certificates \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /packed/contextful-*.tgz /tmp/
RUN npm install --global --ignore-scripts /tmp/contextful-*.tgz pg@8 pg-boss@10 && rm /tmp/*.tgz
# All that a process writes is here: mount a volume, and make the rest of the file system read-only.
ENV CONTEXTFUL_HOME=/data HOME=/tmp
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
ENTRYPOINT ["contextful"]
CMD ["serve", "--database", "--host", "0.0.0.0"]
EXPOSE 7331
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:7331/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
