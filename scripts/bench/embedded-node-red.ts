import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type BenchFlow = readonly Readonly<Record<string, unknown>>[];
type Message = Record<string, unknown>;

/** Where messages enter and leave a flow. */
export interface BenchEnds {
  emit(msg: Message): void;
  /** By the second wire of the source. */
  emitAside(msg: Message): void;
  ended(msg: Message): void;
}

interface Runtime {
  init(server: Server, settings: object): void;
  start(): Promise<void>;
  readonly httpAdmin: unknown;
  readonly httpNode: unknown;
  readonly events: { once(event: string, heard: () => void): void };
  readonly runtime: { readonly flows: { setFlows(options: object): Promise<unknown> } };
}

interface WebApp {
  (...parameters: unknown[]): void;
  use(path: string, app: unknown): void;
  set(name: string, value: unknown): void;
}

/** A real Node-RED inside this process, put together as its own start script does it, without the editor. */
export class EmbeddedNodeRed {
  private constructor(
    private readonly red: Runtime,
    /** Where it serves HTTP. */
    readonly url: string,
  ) {}

  /**
   * @param packages folder with a `node_modules` that holds the package under measurement
   * @param adminRoot where the admin app is mounted; false for nowhere
   */
  static async start(packages: string, adminRoot: string | false = false): Promise<EmbeddedNodeRed> {
    const userDir = mkdtempSync(join(tmpdir(), "bench-node-red-"));
    process.once("exit", () => rmSync(userDir, { recursive: true, force: true }));
    symlinkSync(join(packages, "node_modules"), join(userDir, "node_modules"), "junction");
    cpSync(join(packages, "package.json"), join(userDir, "package.json"));
    cpSync(process.env.BENCH_NODES ?? "", join(userDir, "nodes"), { recursive: true });
    const load = createRequire(createRequire(__filename).resolve("node-red/package.json"));
    const red = load("node-red") as Runtime;
    const app = (load("express") as () => WebApp)();
    app.set("x-powered-by", false);
    const server = createServer((req, res) => app(req, res));
    const settings = {
      userDir,
      flowFile: "flows.json",
      credentialSecret: "only for measuring",
      httpAdminRoot: adminRoot,
      httpNodeRoot: "/",
      disableEditor: true,
      telemetry: { enabled: false, updateNotification: false },
      logging: { console: { level: "error", metrics: false, audit: false } },
      externalModules: { autoInstall: false, palette: { allowInstall: false } },
    };
    red.init(server, settings);
    if (adminRoot !== false) {
      app.use(adminRoot, red.httpAdmin);
    }
    app.use("/", red.httpNode);
    const started = new Promise<void>((resolve) => red.events.once("flows:started", resolve));
    await red.start();
    await started;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 1024, resolve));
    return new EmbeddedNodeRed(red, `http://127.0.0.1:${(server.address() as { port: number }).port}`);
  }

  /** Deploys a flow in place of the one before, and waits until it runs. */
  async deploy(flow: BenchFlow): Promise<void> {
    const started = new Promise<void>((resolve) => this.red.events.once("flows:started", resolve));
    // Whatever has no place on the tab is a configuration node to Node-RED.
    const placed = flow.map((node) => ("z" in node ? { x: 100, y: 100, ...node } : node));
    await this.red.runtime.flows.setFlows({ flows: { flows: [{ id: "tab", type: "tab" }, ...placed] } });
    await started;
  }

  get ends(): BenchEnds {
    return (globalThis as unknown as { bench: BenchEnds }).bench;
  }
}
