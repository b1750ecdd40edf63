import type { JsonSchema } from "../fields.ts";

/** The body of the health check. */
const healthSchema: JsonSchema = {
  type: "object",
  properties: {
    status: { enum: ["ok", "degraded"] },
    version: { type: "string" },
    checks: {
      type: "object",
      description: "Left out with `live=1` and `ready=1`.",
      properties: { database: { enum: ["ok", "down"] }, redis: { enum: ["ok", "off", "down"] } },
      required: ["database", "redis"],
      additionalProperties: false,
    },
  },
  required: ["status", "version"],
  additionalProperties: false,
};

const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } };

function answer(description: string, headers: object): unknown {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Health" } } };
  return { description, headers: { ...requestIdHeader, ...headers }, content };
}

/** The health check, which is no row of the table: it needs no credential and is not counted. */
export const healthDescription = {
  schema: healthSchema,
  path: "/api/health",
  item: {
    get: {
      operationId: "health.get",
      summary: "Check the service's health",
      description: "Needs no credential and does not count for the rate limit.",
      tags: ["Health"],
      security: [],
      parameters: [
        {
          name: "live",
          in: "query",
          required: false,
          description: "With `1` the answer says only that the process lives; nothing is checked.",
          schema: { type: "string" },
        },
        {
          name: "ready",
          in: "query",
          required: false,
          description: "With `1` the answer is 503 only while the process stops: what a proxy in front asks.",
          schema: { type: "string" },
        },
      ],
      responses: {
        200: answer("The service can do its work.", {}),
        503: answer("A dependency is down, or the process stops.", {
          "Retry-After": { $ref: "#/components/headers/Retry-After" },
        }),
      },
    },
  },
};
