import type { ArchivedFile } from "./read-archive.ts";

const PERMISSIVE =
  /\b(mit|expat|bsd|apache|isc|zlib|0bsd|unlicense|cc0|boost|bsl-1|public[- ]domain|psf|x11|blueoak)/i;
const COPYLEFT = /\b(a?gpl|lgpl|mpl|epl|cddl|eupl|cecill|osl|sspl|busl|artistic|cc-by|ruby)/i;

export const isLicenceFile = (path: string): boolean =>
  /(^|\/)(copyright|package\.json|(LICEN[CS]E|COPYING)[^/]*)$/i.test(path) && path.split("/").length < 7;

/** An "or" with one permissive choice is enough; an "and" with anything else is not. */
export const isPermissive = (licence: string): boolean =>
  licence.split(/\s+or\s+|\|\|?|\//i).some((choice) => PERMISSIVE.test(choice) && !COPYLEFT.test(choice));

/** What the package says of itself: Debian's `Files: *`, npm's `license`, or the text of its licence file. */
export function licenceOf(files: readonly ArchivedFile[]): string {
  const named = (pattern: RegExp) =>
    files.filter(({ path }) => pattern.test(path)).sort((a, b) => a.path.length - b.path.length);
  const [copyright] = named(/(^|\/)copyright$/);
  if (copyright) return debianLicence(copyright.text);
  const [manifest] = named(/(^|\/)package\.json$/);
  if (manifest) return npmLicence(manifest.text);
  return (
    named(/(^|\/)(LICEN[CS]E|COPYING)[^/]*$/i)
      .map(({ text }) => licenceOfText(text))
      .find((licence) => licence !== undefined) ?? "unknown"
  );
}

function debianLicence(text: string): string {
  const stanzas = [...text.matchAll(/^Files:\s*([^\n]*(?:\n [^\n]*)*)\n[\s\S]*?^License:\s*(.*)$/gm)];
  const all = stanzas.find(([, files = ""]) => /(^|\s)\*/.test(files)) ?? stanzas[0];
  return all?.[2]?.trim() ?? licenceOfText(text) ?? "unknown";
}

function npmLicence(text: string): string {
  try {
    const { license } = JSON.parse(text) as { license?: string | { type?: string } };
    return (typeof license === "string" ? license : license?.type) ?? "unknown";
  } catch {
    return "unknown";
  }
}

function licenceOfText(text: string): string | undefined {
  if (/GNU (LESSER|GENERAL|LIBRARY|AFFERO)/i.test(text)) return "GPL";
  if (/Eclipse Public/i.test(text)) return "EPL";
  if (/Mozilla Public/i.test(text)) return "MPL";
  if (/Apache License/i.test(text)) return "Apache-2.0";
  if (/Permission is hereby granted, free/i.test(text)) return "MIT";
  if (/Redistribution and use in source/i.test(text)) return "BSD";
  return undefined;
}
