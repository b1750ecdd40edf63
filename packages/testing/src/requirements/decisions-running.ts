import { section } from "./section.ts";

/** What the project decided where the contract is silent: how the service is run. */
export const runningDecisions = section("Decisions: running it", {
  "decision.running.first-start":
    "First start: migrations, a team, an admin, an API key with read and write, a welcome collection",
  "decision.running.first-start-resumed":
    "A first start that is killed before it showed the credentials is taken up by the next start",
  "decision.running.import-bounds": "kb import of an archive unpacks no more than a bound, and says so",
  "decision.running.kept": "The embedded PostgreSQL's data in KB_DATA_DIR is kept between runs",
  "decision.running.second-start": "A second start on the same folder says so and stops",
  "decision.running.environment": "The environment is validated at start, all problems printed at once",
  "decision.running.https": "An APP_URL that is not https is refused at start, loopback aside",
  "decision.running.secret": "An APP_SECRET that is short or a placeholder is refused at start",
  "decision.running.environment-documented": "Every variable of the environment is in .env.example",
  "decision.running.stop": "SIGTERM: unready, requests drained, PostgreSQL stopped cleanly, exit 0",
  "decision.running.compose": "docker/compose.yaml runs the apps apart, behind one proxy that routes by path",
  "decision.running.unready": "UNREADY_MS: a process that stops says unready for so long, and serves all the same",
  "decision.running.kill": "After kill -9 of the process the next start recovers with nothing lost",
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
    "kb restore FILE goes into an empty database alone, brings everything or nothing, and refuses what is damaged or foreign",
  "decision.running.migrations-lint":
    "Migrations after the first release are linted: no long lock, nothing taken away that the release before uses",
  "decision.running.migrations-locks":
    "A migration waits for no lock longer than a second and tries again; writers of a loaded table wait no longer than that",
  "decision.running.secret-rotation":
    "APP_SECRET can be changed: APP_SECRET_PREVIOUS keeps what was sealed or signed under it good, kb reseal seals it anew",
  "decision.running.kb-import-summary":
    "The summary of an import says what was imported, what was skipped and why, and names front-matter keys that it did not use",
  "decision.running.kb-doctor": "kb doctor says what is wrong with the set-up and how to mend it",
  "decision.running.kb-json": "All commands take --json (one JSON object) and --help",
  "decision.running.database-away":
    "The database away: 503 with Retry-After, and full service after its return, without a restart",
  "decision.running.log":
    "One JSON line a request, a delivery too: route, status, times, bytes, statements, limit, trace; nothing that a person wrote",
  "decision.running.traces":
    "With OTEL_EXPORTER_OTLP_ENDPOINT: spans from the edge to the operation to its statements, below the caller's traceparent",
  "decision.running.metrics":
    "With METRICS_PORT: /metrics in the form of Prometheus, on that port alone; labels are patterns, names and codes",
  "decision.running.telemetry-off":
    "Without those variables no port is open and no module of OpenTelemetry is loaded; a collector that hangs holds up nothing",
});
