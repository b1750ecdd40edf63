import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { exportedMetrics } from "./exported-metrics.ts";
import { type KubernetesObject, lintChart, notesOf, renderChart } from "./helm-chart.ts";
import { schemaErrors } from "./kubernetes-schemas.ts";
import { text } from "./read.ts";

const guide = text("../docs/operations.md");
const Values = z.looseObject({ settings: z.record(z.string(), z.string()) });
/** The values of the guide. */
const values = Values.parse(parse(/```yaml values\n([\s\S]*?)```/.exec(guide)?.[1] ?? ""));

/** Every part that is off by default, and a value for every part that has none. */
const everything = {
  ...values,
  settings: {
    ...values.settings,
    S3_BUCKET: "",
    BACKUP_TO: "s3://kb-backups/production",
    BACKUP_RECIPIENTS: "age1abc",
  },
  images: { repository: "registry.example.com:5000/kb", tag: "1.2.3", pullSecrets: [{ name: "registry" }] },
  files: { existingClaim: "kb-files" },
  serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/kb" } },
  podAnnotations: { "example.com/team": "wiki" },
  migration: { createDatabase: true },
  backup: { enabled: true },
  ingress: { className: "traefik", annotations: { "cert-manager.io/cluster-issuer": "letsencrypt" } },
  apps: {
    web: {
      autoscaling: { enabled: false },
      replicas: 3,
      nodeSelector: { "kubernetes.io/arch": "amd64" },
      tolerations: [{ key: "wiki", operator: "Exists" }],
    },
  },
};

const Variable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string(), optional: z.boolean() }) })
    .optional(),
});
const Probe = z.looseObject({ httpGet: z.strictObject({ path: z.string(), port: z.literal("http") }) });
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  env: z.array(Variable),
  securityContext: z.looseObject({}),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
});
const Pod = z.looseObject({
  metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({ securityContext: z.looseObject({}), containers: z.array(Container).length(1) }),
});
const WithPod = z.union([
  z.looseObject({ template: Pod }).transform(({ template }) => template),
  z
    .looseObject({ jobTemplate: z.looseObject({ spec: z.looseObject({ template: Pod }) }) })
    .transform(({ jobTemplate }) => jobTemplate.spec.template),
]);

const objects = renderChart(values);
const all = renderChart(everything);

const ofKind = (kind: string, among: readonly KubernetesObject[] = all): KubernetesObject[] =>
  among.filter((object) => object.kind === kind);

/** The pods of Deployments and Jobs, with the names of the objects that start them. */
const podsOf = (among: readonly KubernetesObject[]) =>
  among
    .filter(({ kind }) => ["Deployment", "Job", "CronJob"].includes(kind))
    .map(({ metadata, spec }) => {
      const pod = WithPod.parse(spec);
      const [container] = pod.spec.containers;
      if (container === undefined) throw new Error(`${metadata.name} has no container`);
      return { name: metadata.name, pod, container, labels: pod.metadata.labels };
    });

const environmentOf = (name: string, among: readonly KubernetesObject[]): z.output<typeof Variable>[] =>
  podsOf(among).find((pod) => pod.name === name)?.container.env ?? [];

describe("the Helm chart", () => {
  it("passes helm lint and the schemas of the Kubernetes API, with the values of the guide and with all parts", () => {
    for (const each of [values, everything]) {
      const { code, output } = lintChart(each);
      expect([code, output]).toEqual([0, expect.stringContaining("0 chart(s) failed")]);
    }
    expect(schemaErrors([...objects, ...all])).toEqual([]);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set([
        ..."CronJob Deployment HorizontalPodAutoscaler Ingress Job NetworkPolicy".split(" "),
        ..."PodDisruptionBudget Service ServiceAccount".split(" "),
      ]),
    );
  });

  it("is held to schemas that find a wrong type, a missing field and an unknown field", () => {
    const wrong = (port: unknown): string =>
      schemaErrors(ofKind("Service").map((service) => ({ ...service, spec: { ports: [port] } }))).join();
    expect(wrong({ port: 80 })).toBe("");
    expect(wrong({ port: "80" })).toContain("Service wiki-api: data/spec/ports/0/port must be integer");
    expect(wrong({ name: "http" })).toContain("Service wiki-api: data/spec/ports/0 must have required property port");
    expect(wrong({ port: 80, targetport: 1 })).toMatch(/Service wiki-api: .*targetport\S+ does not exist/);
  });

  it("runs every pod without root, on a read-only file system, without an account of Kubernetes", () => {
    const pods = podsOf(all);
    expect(pods.map(({ name }) => name).toSorted()).toEqual(
      "wiki-api wiki-backup wiki-mcp wiki-migration wiki-oauth wiki-tools wiki-web wiki-worker".split(" "),
    );
    for (const { name, pod, container } of pods) {
      expect([name, pod.spec]).toEqual([
        name,
        expect.objectContaining({
          automountServiceAccountToken: false,
          securityContext: expect.objectContaining({
            runAsNonRoot: true,
            runAsUser: 1000,
            seccompProfile: { type: "RuntimeDefault" },
          }),
        }),
      ]);
      expect([name, container.securityContext]).toEqual([
        name,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
      ]);
      expect(container).toMatchObject({ resources: { limits: { memory: "1Gi" } } });
    }
  });

  it("asks each app at the addresses of health that the guide names, and starts no new pod before the migration", () => {
    const deployed = podsOf(ofKind("Deployment")).filter(({ name }) => name !== "wiki-tools");
    expect(deployed).toHaveLength(5);
    for (const { container } of deployed) {
      expect(container.startupProbe?.httpGet.path).toBe("/api/health?live=1");
      expect(container.livenessProbe?.httpGet.path).toBe("/api/health?live=1");
      expect(container.readinessProbe?.httpGet.path).toBe("/api/health?ready=1");
    }
    for (const path of ["/api/health?live=1", "/api/health?ready=1"]) expect(guide).toContain(`\`${path}\``);
    const [job, ...others] = ofKind("Job");
    expect(others).toEqual([]);
    expect(job?.metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
    expect(podsOf(ofKind("Job"))[0]?.container).toMatchObject({
      image: "registry.example.com:5000/kb/kb:1.2.3",
      args: ["migrate", "--create"],
    });
    expect(podsOf(ofKind("CronJob"))[0]?.container.args).toEqual(["backup"]);
  });

  it("lets every Service, budget, policy and autoscaler select the pods of one app", () => {
    const pods = podsOf(all);
    const Labels = z.record(z.string(), z.string());
    const MatchLabels = z.strictObject({ matchLabels: Labels }).transform(({ matchLabels }) => matchLabels);
    const Selecting = z.union([
      z.looseObject({ podSelector: MatchLabels }).transform(({ podSelector }) => podSelector),
      z.looseObject({ selector: z.union([MatchLabels, Labels]) }).transform(({ selector }) => selector),
    ]);
    for (const kind of ["Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"]) {
      for (const { metadata, spec } of ofKind(kind)) {
        const wanted = Object.entries(Selecting.parse(spec));
        const selected = pods.filter(({ labels }) => wanted.every(([label, value]) => labels[label] === value));
        expect([kind, metadata.name, selected.map(({ name }) => name)]).toEqual([kind, metadata.name, [metadata.name]]);
      }
    }
    const scaled = ofKind("HorizontalPodAutoscaler").map(({ metadata, spec }) => [metadata.name, spec]);
    expect(scaled.map(([name]) => name)).toEqual("wiki-api wiki-mcp wiki-oauth wiki-worker".split(" "));
    for (const [name, spec] of scaled) expect(spec).toMatchObject({ scaleTargetRef: { kind: "Deployment", name } });
    const counts = ofKind("Deployment").map(({ metadata, spec }) => [
      metadata.name,
      Reflect.get(Object(spec), "replicas"),
    ]);
    // A count beside an autoscaler would undo what it does at each upgrade.
    expect(Object.fromEntries(counts)).toMatchObject({ "wiki-api": undefined, "wiki-web": 3, "wiki-tools": 1 });
  });

  it("scales by metrics that the service exports", async () => {
    const exported = await exportedMetrics();
    const External = z.looseObject({ external: z.looseObject({ metric: z.looseObject({ name: z.string() }) }) });
    const Scaler = z.looseObject({ metrics: z.array(z.looseObject({ type: z.string() })) });
    const metrics = ofKind("HorizontalPodAutoscaler", objects).flatMap(({ spec }) => Scaler.parse(spec).metrics);
    const external = metrics.filter(({ type }) => type === "External").map((each) => External.parse(each));
    expect(external.map(({ external: { metric } }) => [metric.name, exported.has(metric.name)])).toEqual([
      ["kb_webhook_deliveries_due", true],
    ]);
    expect(metrics.filter(({ type }) => type === "Resource")).toHaveLength(5);
  });

  it("passes settings as they were written, and secrets only by reference", () => {
    const hostile = '"; $(APP_SECRET) {{ .Release.Name }}\n  - name: X # \\';
    const rendered = renderChart({ ...values, settings: { ...values.settings, OIDC_NAME: hostile } });
    const name = environmentOf("wiki-oauth", rendered).find((variable) => variable.name === "OIDC_NAME");
    // Kubernetes makes `$(` of `$$(`, and replaces nothing in it.
    expect(name?.value?.replaceAll("$$(", "$(")).toBe(hostile);
    expect(environmentOf("wiki-api", rendered).some((variable) => variable.name === "OIDC_NAME")).toBe(false);
    for (const { container } of podsOf(rendered)) {
      for (const { name: variable, value, valueFrom } of container.env) {
        if (!/SECRET|PASSWORD$|ACCESS_KEY|DATABASE|REDIS|SMTP|HEADERS/.test(variable)) continue;
        const optional = !["DATABASE_URL", "REDIS_URL", "APP_SECRET"].includes(variable);
        expect([variable, value, valueFrom?.secretKeyRef]).toEqual([
          variable,
          undefined,
          { name: "kb", key: variable, optional },
        ]);
      }
    }
  });

  it("states the connections that PostgreSQL has to allow, and how to create the first team", () => {
    const notes = notesOf(values);
    // Five apps of at most four pods and one more during an upgrade, with 11 connections each; 10 for commands, 3 of PostgreSQL.
    expect(notes).toContain("max_connections of at least 453");
    expect(notes).toContain("--namespace team exec deploy/wiki-tools -- \\\n    node main.js team create");
  });

  const { TRUSTED_PROXIES, S3_BUCKET } = values.settings;
  it.each<readonly [string, Record<string, unknown>, RegExp]>([
    ["no origin", { appUrl: "" }, /Set appUrl to the public origin/],
    ["an origin without TLS", { appUrl: "http://kb.example.com" }, /'\/appUrl': .* does not match pattern/],
    ["an origin with a path", { appUrl: "https://kb.example.com/wiki" }, /'\/appUrl': .* does not match pattern/],
    [
      "an origin that ends its line",
      { appUrl: 'https://kb.example.com"\nkind: Secret' },
      /'\/appUrl': .* does not match/,
    ],
    ["no registry", { images: { repository: "" } }, /Set images\.repository/],
    ["no address of a proxy", { settings: { S3_BUCKET } }, /Set settings\.TRUSTED_PROXIES/],
    ["no place of attachments", { settings: { TRUSTED_PROXIES } }, /Set settings\.S3_BUCKET, or files\.existingClaim/],
    ["a secret among the settings", { settings: { APP_SECRET: "abc" } }, /'\/settings': .*'APP_SECRET' not allowed/],
    ["a setting that nobody reads", { settings: { S3_BUCKT: "a" } }, /'\/settings': .*'S3_BUCKT' not allowed/],
    [
      "a number without quotes",
      { settings: { ATTACHMENT_MAX_BYTES: 1e9 } },
      /'\/settings\/ATTACHMENT_MAX_BYTES': got number, want string/,
    ],
    ["a value that does not exist", { ingres: { enabled: false } }, /'ingres' not allowed/],
    [
      "a value of an app that does not exist",
      { apps: { api: { replica: 3 } } },
      /'\/apps\/api': .*'replica' not allowed/,
    ],
    ["an app that does not exist", { apps: { kb: {} } }, /'\/apps': .*'kb' not allowed/],
    ["an app without values", { apps: { web: null } }, /'\/apps': missing property 'web'/],
    ["no pod", { apps: { api: { replicas: 0 } } }, /'\/apps\/api\/replicas': minimum/],
    [
      "less pods at most than at least",
      { apps: { api: { autoscaling: { maxReplicas: 1 } } } },
      /apps\.api\.autoscaling\.maxReplicas is less/,
    ],
    ["a name that is none", { secretName: "KB secret" }, /'\/secretName': .* does not match pattern/],
    ["the port of requests for metrics", { metricsPort: 3000 }, /'\/metricsPort': 'not' failed/],
    ["backups without a bucket", { backup: { enabled: true } }, /Set settings\.BACKUP_TO/],
  ])("refuses %s", (_, wrong, message) => {
    expect(() => renderChart({ ...values, ...wrong })).toThrow(message);
  });
});
