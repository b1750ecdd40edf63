import { section } from "./section.ts";

/** Decisions on points that the contract leaves open: operation of the service. */
export const runningDecisions = section("Decisions: running it", {
  "decision.running.first-start":
    "First start: migrations, a team, an admin, an API key with read and write, a welcome collection",
  "decision.running.first-start-resumed":
    "The next start resumes a first start that was killed before it showed the credentials",
  "decision.running.import-bounds":
    "kb import of an archive unpacks at most a fixed amount, and reports when it is exceeded",
  "decision.running.kept": "The embedded PostgreSQL's data in KB_DATA_DIR is kept between runs",
  "decision.running.second-start": "A second start on the same folder reports this and stops",
  "decision.running.environment": "The environment is validated at start, and all problems are printed at once",
  "decision.running.https": "An APP_URL that is not https is refused at start, except for loopback",
  "decision.running.secret": "An APP_SECRET that is short or a placeholder is refused at start",
  "decision.running.environment-documented": "Every variable of the environment is in .env.example",
  "decision.running.stop": "SIGTERM: unready, requests drained, PostgreSQL stopped cleanly, exit 0",
  "decision.running.reserved-connections":
    "Requests that use every connection they may use block neither log-in nor health checks nor the worker",
  "decision.running.compose": "docker/compose.yaml runs the apps separately, behind one proxy that routes by path",
  "decision.running.unready": "UNREADY_MS: a stopping process reports unready for this long and still serves requests",
  "decision.running.kill": "After kill -9 of the process the next start recovers with nothing lost",
  "decision.running.replica-own-write":
    "A read of a replica never misses the caller's own last write, however far it is behind",
  "decision.running.replica-revocation":
    "A right that was taken away is gone with the next request, whatever a replica has replayed",
  "decision.running.replica-away":
    "A replica that is down, promoted, lagging or another database is not read, and no request fails for it",
  "decision.running.replica-stamps": "Every change of what a replica may show takes a stamp of the team's clock",
  "decision.running.kb-info": "kb info answers url, databaseUrl, dataDir, version",
  "decision.running.kb-team": "kb team create makes a team and its admin",
  "decision.running.kb-user": "kb user create, suspend and password manage people",
  "decision.running.kb-key":
    "kb key create --user E --scopes read,write answers {id,key}; --restrict FILE and --expires narrow it",
  "decision.running.kb-import":
    "kb import DIR --collection NAME: folders become parents; title from front matter, else the first heading 1, else the file name; tags and emoji from front matter, which leaves the body",
  "decision.running.kb-export": "kb export --collection NAME --out FILE; kb import of it restores an equal collection",
  "decision.running.kb-backup":
    "kb backup --out FILE: one file of one moment with every table and the bytes of all attachments, beside a running service, whole or not there",
  "decision.running.kb-restore":
    "kb restore FILE requires an empty database, restores everything or nothing, and refuses damaged or foreign files",
  "decision.running.migrations-lint":
    "Migrations after the first release are linted: no long lock, nothing removed that the previous release uses",
  "decision.running.migrations-locks":
    "A migration waits for no lock longer than a second and tries again; writers of a loaded table wait no longer than that",
  "decision.running.secret-rotation":
    "APP_SECRET can be changed: APP_SECRET_PREVIOUS keeps values sealed or signed with it valid, and kb reseal seals them with the new secret",
  "decision.running.kb-import-summary":
    "The summary of an import lists what was imported, what was skipped and why, and the front-matter keys that were not used",
  "decision.running.kb-doctor": "kb doctor reports what is wrong with the configuration and how to fix it",
  "decision.running.kb-json": "All commands take --json (one JSON object) and --help",
  "decision.running.database-away":
    "While the database is unavailable: 503 with Retry-After; full service after its return, without a restart",
  "decision.running.log":
    "One JSON line per request and per delivery: route, status, times, bytes, statements, limit, trace; no text written by users",
  "decision.running.traces":
    "With OTEL_EXPORTER_OTLP_ENDPOINT: spans from the edge to the operation to its statements, below the caller's traceparent",
  "decision.running.metrics":
    "With METRICS_PORT: /metrics in the Prometheus format, only on that port; labels are patterns, names and codes",
  "decision.running.telemetry-off":
    "Without those variables no port is open and no OpenTelemetry module is loaded; an unresponsive collector delays nothing",
});
