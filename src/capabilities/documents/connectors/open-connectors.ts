import type { Config } from "../../../core/config/config.ts";
import { DomainError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import type { Machine } from "../../../core/machine.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { clonesDirectory } from "../places.ts";
import { CONNECTOR_TYPES, type Connector, type ConnectorType } from "./connector.ts";
import type { ForgeOptions } from "./forge/forge.ts";
import type { ForgeApi } from "./forge/thread.ts";

type Opener = (name: string) => Promise<Connector>;

/** The labels of all configured connectors, by type and then by name. */
export const configuredLabels = ({ connectors }: Config): string[] =>
  CONNECTOR_TYPES.flatMap((type) =>
    Object.keys(connectors[type])
      .sort(byCodeUnit)
      .map((name) => `${type}:${name}`),
  );

/** The labels that `all`, a type, or `type:name` stands for. */
export function selectLabels(config: Config, target: string): string[] {
  const labels = configuredLabels(config);
  const chosen =
    target === "all" ? labels : labels.filter((label) => label === target || typeOf(label) === target);
  if (chosen.length > 0) return chosen;
  throw unknownConnector(config, target);
}

function unknownConnector(config: Config, name: string): DomainError {
  const labels = configuredLabels(config);
  const next =
    labels.length === 0
      ? "No documents were found here. Add a source to contextful.toml: contextful documents add DIR|URL."
      : `Use all, a type, or one of: ${labels.join(", ")}.`;
  return new DomainError("invalid_input", `No connector ${JSON.stringify(name)}. ${next}`, {
    reason: "not_configured",
  });
}

const typeOf = (label: string) => label.slice(0, label.indexOf(":"));

/** Opens one configured connector; the module of its type is loaded on first use. */
export async function openConnector(label: string, config: Config, machine: Machine): Promise<Connector> {
  const type = CONNECTOR_TYPES.find((known) => known === typeOf(label));
  if (type === undefined || !configuredLabels(config).includes(label)) throw unknownConnector(config, label);
  return openers(config, machine)[type](label.slice(type.length + 1));
}

function openers({ connectors }: Config, machine: Machine): Record<ConnectorType, Opener> {
  const common = (type: ConnectorType, name: string) => ({
    label: `${type}:${name}`,
    // Part of every stamp: with other settings everything is read again.
    settings: sha256(JSON.stringify(connectors[type][name] ?? null)).slice(0, 8),
    project: machine.root,
    env: machine.env,
    now: () => machine.now(),
  });
  const openForge = async (
    type: "github" | "gitlab",
    name: string,
    { forge, ...more }: { forge: ForgeApi } & Pick<ForgeOptions, "listWiki">,
  ) => {
    const { forgeConnector } = await import("./forge/forge.ts");
    const section = present(connectors[type][name], name);
    return forgeConnector(forge, {
      ...common(type, name),
      ...section,
      type,
      logger: machine.logger,
      url: section.url,
      tokenEnv: section.token_env,
      maxItems: section.max_items,
      allowPrivate: section.allow_private_addresses,
      ...more,
    });
  };
  return {
    async filesystem(name) {
      const { filesystemConnector } = await import("./filesystem.ts");
      const section = present(connectors.filesystem[name], name);
      return filesystemConnector({
        ...common("filesystem", name),
        ...section,
        maxBytes: section.max_extract_bytes,
      });
    },
    async git(name) {
      const { gitConnector } = await import("./git/git.ts");
      const section = present(connectors.git[name], name);
      const clones = clonesDirectory(machine);
      return gitConnector({
        ...common("git", name),
        ...section,
        clones,
        maxBytes: section.max_extract_bytes,
      });
    },
    async commits(name) {
      const { commitsConnector } = await import("./commits/commits.ts");
      const section = present(connectors.commits[name], name);
      return commitsConnector({ ...common("commits", name), ...section, maxCommits: section.max_commits });
    },
    async packages(name) {
      const { packagesConnector } = await import("./packages/packages.ts");
      const section = present(connectors.packages[name], name);
      return packagesConnector({
        ...common("packages", name),
        ...section,
        maxPackages: section.max_packages,
      });
    },
    async web(name) {
      const { webConnector } = await import("./web/web.ts");
      const section = present(connectors.web[name], name);
      return webConnector({
        ...common("web", name),
        ...section,
        sitemap: section.sitemap,
        maxPages: section.max_pages,
        maxBytes: section.max_bytes,
        delayMs: section.delay_ms,
        allowPrivate: section.allow_private_addresses,
      });
    },
    async github(name) {
      const section = present(connectors.github[name], name);
      const wiki = {
        ...common("github", name),
        ...section,
        url: section.url,
        clones: clonesDirectory(machine),
      };
      return openForge("github", name, {
        forge: (await import("./forge/github.ts")).github,
        listWiki: async (token, signal) =>
          (await import("./forge/github-wiki.ts")).listWiki(wiki, token, signal),
      });
    },
    gitlab: async (name) => openForge("gitlab", name, { forge: (await import("./forge/gitlab.ts")).gitlab }),
    async s3(name) {
      const { s3Connector } = await import("./s3/s3.ts");
      const section = present(connectors.s3[name], name);
      const endpoint = section.endpoint_url;
      return s3Connector({
        ...common("s3", name),
        ...section,
        endpoint,
        maxBytes: section.max_extract_bytes,
      });
    },
    async command(name) {
      const { commandConnector } = await import("./command/command.ts");
      const section = present(connectors.command[name], name);
      return commandConnector({
        ...common("command", name),
        ...section,
        timeoutMs: section.timeout_secs * 1_000,
      });
    },
  };
}

function present<T>(section: T | undefined, name: string): T {
  if (section !== undefined) return section;
  throw new Error(`no connector ${name}`);
}
