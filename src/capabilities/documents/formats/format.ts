/** The text and metadata of a file. Times are seconds since 1970. */
export interface Extracted {
  readonly body: string;
  readonly title?: string;
  readonly author?: string;
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}
/** Why a file could not be read; it is reported, and the sync goes on. */
export interface Unreadable {
  readonly unreadable: string;
}
export type Extraction = Extracted | Unreadable;

/** `api` is source code of which only what it offers is read. */
export type Format =
  | "text"
  | "markdown"
  | "rst"
  | "api"
  | "html"
  | "pdf"
  | "docx"
  | "pptx"
  | "xlsx"
  | "notebook";

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  rst: "rst",
  html: "html",
  htm: "html",
  xhtml: "html",
  pdf: "pdf",
  docx: "docx",
  pptx: "pptx",
  xlsx: "xlsx",
  ipynb: "notebook",
};
const OFFICE = "application/vnd.openxmlformats-officedocument.";

/** The media types of formats that are not plain text. */
const MEDIA_TYPE = {
  html: "text/html",
  pdf: "application/pdf",
  docx: `${OFFICE}wordprocessingml.document`,
  pptx: `${OFFICE}presentationml.presentation`,
  xlsx: `${OFFICE}spreadsheetml.sheet`,
  notebook: "application/x-ipynb+json",
} as const satisfies Partial<Record<Format, string>>;

const BY_MEDIA_TYPE: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(Object.entries(MEDIA_TYPE).map(([format, type]) => [type, format])),
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "application/json": "text",
  "application/yaml": "text",
};

export const extensionOf = (path: string): string => /\.([^./\\]+)$/.exec(path)?.[1] ?? "";

export const formatOfPath = (path: string): Format => BY_EXTENSION[extensionOf(path).toLowerCase()] ?? "text";

/** The format of a media type; `undefined` if we cannot read it. */
export function formatOfMediaType(type: string): Format | undefined {
  const name = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return BY_MEDIA_TYPE[name] ?? (name.startsWith("text/") ? "text" : undefined);
}

/** The default media type of a file: plain text unless it is a rich format. */
export const mediaTypeOf = (format: Format): string => (isPlain(format) ? "text/plain" : MEDIA_TYPE[format]);

/** Formats that people read as they are. */
export const isPlain = (format: Format): format is "text" | "markdown" | "rst" | "api" =>
  format === "text" || format === "markdown" || format === "rst" || format === "api";
