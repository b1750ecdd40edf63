import type { JsonSchema } from "../fields.ts";

/** Describes the body of the health check. */
const healthSchema: JsonSchema = {
  type: "object",
  properties: {
    status: { enum: ["ok", "degraded"] },
    version: { type: "string" },
    checks: {
      type: "object",
      description: "Absent with `live=1` and `ready=1`.",
      properties: {
        database: { enum: ["ok", "down"] },
        redis: { enum: ["ok", "off", "down"] },
        replicas: {
          type: "array",
          items: {
            enum: ["unchecked", "unproven", "ok", "lagging", "down", "not_in_recovery", "another_database", "diverged"],
          },
          description:
            "Present if read replicas are set: the state of each at its last check, in the order of DATABASE_REPLICA_URL. Only one that is `ok` is read; without one the service stays healthy.",
        },
        files: {
          enum: ["down"],
          description:
            "Present while the S3-compatible store of attachments cannot be read. The check writes nothing. Its result is kept: a request more than 15 seconds after the last check starts the next one in the background.",
        },
        disk: { enum: ["full"], description: "Present while the last write failed for lack of disk space." },
      },
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

/** Describes the health check, which is not a row of the table because it needs no credential and is not counted. */
export const healthDescription = {
  schema: healthSchema,
  path: "/api/health",
  item: {
    get: {
      operationId: "health.get",
      summary: "Check the service's health",
      description: "Needs no credential and does not count towards the rate limit.",
      tags: ["Health"],
      security: [],
      parameters: [
        {
          name: "live",
          in: "query",
          required: false,
          description: "With `1` the answer only tells that the process runs. No dependency is checked.",
          schema: { type: "string" },
        },
        {
          name: "ready",
          in: "query",
          required: false,
          description: "With `1` the answer is 503 only while the process stops. For the health checks of a proxy.",
          schema: { type: "string" },
        },
      ],
      responses: {
        200: answer("The service is healthy.", {}),
        400: {
          description: "A query parameter is unknown.",
          headers: requestIdHeader,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
        503: answer("A dependency is down, the disk is full, or the process is stopping.", {
          "Retry-After": { $ref: "#/components/headers/Retry-After" },
        }),
      },
    },
  },
};
