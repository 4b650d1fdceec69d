import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const client = fileURLToPath(new URL("../src/surfaces/web/client/", import.meta.url));

/** Bundles the page into `web/` of the build: one script, one style sheet, the document and the icon. */
export async function bundlePage(directory: string): Promise<void> {
  const target = join(directory, "web");
  mkdirSync(target, { recursive: true });
  const bundle = await rolldown({
    input: join(client, "main.tsx"),
    platform: "browser",
    transform: { target: "es2022" },
  });
  await bundle.write({ file: join(target, "page.js"), format: "esm", minify: true });
  await bundle.close();
  for (const file of ["index.html", "icon.svg"]) copyFileSync(join(client, file), join(target, file));
  writeFileSync(join(target, "page.css"), styles());
}

/** `page.css` has the variables, so it is first; then the style sheet of each view. */
function styles(): string {
  const files = readdirSync(client, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".css"),
  );
  const ordered = files.sort(
    (a, b) => Number(b === "page.css") - Number(a === "page.css") || (a < b ? -1 : 1),
  );
  return ordered.map((file) => readFileSync(join(client, file), "utf8")).join("\n");
}
