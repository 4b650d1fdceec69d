import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import { DomainError } from "../errors.ts";

const NAMES = process.platform === "win32" ? ["git.exe"] : ["git"];

/** What PATH offered, by its value: the same answer for the whole process, however often git is run. */
const known = new Map<string, readonly string[]>();

/** The absolute path of git: from PATH, but never from the project it is to run in, nor from a relative entry. */
export function gitProgram(cwd: string, path = process.env["PATH"] ?? ""): string {
  const offered = known.get(path) ?? gitsOn(path);
  known.set(path, offered);
  const projects = [projectAround(cwd), projectAround(process.cwd())];
  const program = offered.find((candidate) => !projects.some((project) => isUnder(project, candidate)));
  if (program !== undefined) return program;
  throw new DomainError("unavailable", "Could not find git on the PATH. Install git and try again.");
}

function gitsOn(path: string): string[] {
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !entry.split(/[\\/]/).includes("node_modules"))
    .flatMap((entry) => NAMES.map((name) => join(entry, name)))
    .filter(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The outermost directory around `path` that is a repository, or `path` itself. */
function projectAround(path: string): string {
  let project = path;
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) project = at;
  }
  return project;
}

function isUnder(project: string, program: string): boolean {
  return [program, realpathSync(program)].some((file) => {
    const way = relative(project, file);
    return project !== dirname(project) && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}
