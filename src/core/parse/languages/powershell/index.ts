import { defineLanguage } from "../../language.ts";

export const powershell = defineLanguage({
  id: "powershell",
  name: "PowerShell",
  extensions: ["ps1", "psm1", "psd1"],
  interpreters: ["pwsh", "powershell"],
  patterns: {
    extent: "brackets",
    comment: /^\s*#(?!>)/,
    block: { start: /^\s*<#/, end: /#>\s*$/ },
    between: /^\s*\[(?:CmdletBinding|Parameter|OutputType)\b.*\]\s*$/,
    definitions: [
      { kind: "function", match: /^\s*(?:function|filter|workflow)\s+(?:global:|script:)?(?<name>[\w-]+)/i },
      { kind: "class", match: /^\s*class\s+(?<name>\w+)/i, isHolder: true },
      { kind: "enum", match: /^\s*enum\s+(?<name>\w+)/i, isHolder: true },
      {
        kind: "method",
        match: /^\s*(?:(?:static|hidden)\s+)*(?:\[[\w.[\]]+\]\s*)(?:(?:static|hidden)\s+)*(?<name>\w+)\s*\(/i,
        within: ["class"],
      },
    ],
  },
});
