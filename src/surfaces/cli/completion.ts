import type { Command } from "commander";

export type Shell = "bash" | "zsh" | "fish";

/** A script that completes commands and flags. It is made from the commands, so it never has to call us. */
export const completion = (program: Command, shell: Shell): string =>
  shell === "fish"
    ? fish(program)
    : shell === "zsh"
      ? `#compdef contextful\nautoload -U +X bashcompinit && bashcompinit\n${bash(program)}`
      : bash(program);

interface CompletionLine {
  readonly words: readonly string[];
  readonly next: readonly string[];
}

function bash(program: Command): string {
  const cases = lines(program).map(
    ({ words, next }) => `    ${quoted(words.join(" "))}) next=${quoted(next.join(" "))} ;;`,
  );
  // Values and arguments are not part of the command path.
  const paths = lines(program)
    .map(({ words }) => words.join(" "))
    .join("|");
  return `_contextful() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" next="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "|${paths}|" in *"|\${path:+$path }$word|"*) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$cur"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -F _contextful contextful
`;
}

function fish(program: Command): string {
  const rules = lines(program).flatMap(({ words, next }) => {
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const condition = words.length === 0 ? "__fish_use_subcommand" : seen.join("; and ");
    return next.map((word) =>
      word.startsWith("--")
        ? `complete -c contextful -n '${condition}' -l ${word.slice(2)}`
        : `complete -c contextful -n '${condition}' -a ${word}`,
    );
  });
  return `${rules.join("\n")}\n`;
}

function lines(command: Command, words: readonly string[] = []): readonly CompletionLine[] {
  const children = command.commands.filter((child) => child.name() !== "help");
  const flags = command.options.filter((option) => !option.hidden).flatMap((option) => option.long ?? []);
  const own = { words, next: [...children.map((child) => child.name()), ...flags] };
  return [own, ...children.flatMap((child) => lines(child, [...words, child.name()]))];
}

const quoted = (text: string) => `"${text}"`;
