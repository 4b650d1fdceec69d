const text = (description: string, type: string, extra: object = {}) => ({
  responses: { 200: { description, content: { [type]: { schema: { type: "string" } } } }, ...extra },
});
const refused = { 403: { description: "The page's cookie is missing, or another site asks" } };

/** What the page uses besides tools, for `/openapi.json`. */
export const PAGE_PATHS: Readonly<Record<string, object>> = {
  "/": {
    get: {
      operationId: "page",
      summary: "The page for people",
      tags: ["page"],
      ...text("The page", "text/html"),
    },
  },
  "/page/session": {
    get: {
      operationId: "page_session",
      summary: "Start a session of the page",
      description:
        "Sets the page's cookie and answers the token that its scripts send as the header Contextful-Page. Both are needed for every POST under /page/tools. On a team's server there is no cookie: every call has an access token.",
      tags: ["page"],
      responses: {
        200: {
          description: "The session",
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["token", "version", "root", "read_only", "tools"],
                properties: {
                  token: { type: "string" },
                  version: { type: "string" },
                  root: { type: "string" },
                  read_only: { type: "boolean" },
                  tools: { type: "array", items: { type: "string" } },
                  is_team: { type: "boolean", description: "Many projects, each caller by an access token" },
                },
              },
            },
          },
        },
        ...refused,
      },
    },
  },
  "/events": {
    get: {
      operationId: "events",
      summary: "What happens in the server, as server-sent events",
      description:
        "Events: hello, status (the output of get_status when it changes), call (an answered tool call), progress (of a tool that the page runs). Needs the page's cookie.",
      tags: ["page"],
      ...text("A stream of events", "text/event-stream", refused),
    },
  },
};
