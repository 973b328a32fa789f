import { createServer, type Server } from "node:http";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Node, NodeMessage } from "node-red";
import { registeredNodes } from "../build/registered";

export type FlowNode = Readonly<Record<string, unknown>>;
export type DeployType = "full" | "flows" | "nodes";

/** What is used of Node-RED. */
interface Runtime {
  init(server: Server, settings: object): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  readonly httpNode: (request: unknown, response: unknown) => void;
  readonly events: NodeJS.EventEmitter;
  readonly nodes: {
    createNode(node: Node, config: object): void;
    registerType(set: string, type: string, make: (this: Node, config: object) => void): void;
    getNode(id: string): Node | null;
    setFlows(flow: readonly FlowNode[], credentials: undefined, type: DeployType): Promise<unknown>;
  };
}

/** Puts the nodes into a folder as they are built, but with their code from the sources, of which this process holds parts as well. */
async function nodesFromSources(root: string, target: string): Promise<void> {
  cpSync(join(root, "dist", "nodes"), target, { recursive: true });
  for (const { folder, stem } of await registeredNodes(root)) {
    const source = JSON.stringify(join(root, "nodes", folder, `${stem}.ts`));
    writeFileSync(join(target, folder, `${stem}.js`), `module.exports = require(${source}).default;\n`);
  }
}

/** A Node-RED inside this process, with the nodes and one of its own that hands over what reaches it. */
export class EmbeddedNodeRed {
  private constructor(
    private readonly runtime: Runtime,
    private readonly server: Server,
    private readonly userDir: string,
  ) {}

  /** @param sink gets every message that reaches a node of the type `soak-sink` */
  static async start(root: string, sink: (msg: NodeMessage) => void): Promise<EmbeddedNodeRed> {
    const runtime = createRequire(join(root, "package.json"))("node-red") as Runtime;
    const userDir = mkdtempSync(join(tmpdir(), "soak-"));
    const server = createServer((request, response) => runtime.httpNode(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const nodesDir = join(userDir, "nodes-of-package");
    await nodesFromSources(root, nodesDir);
    runtime.init(server, {
      userDir,
      nodesDir,
      credentialSecret: "soak",
      httpAdminRoot: false,
      httpNodeRoot: "/",
      disableEditor: true,
      logging: { console: { level: "off", metrics: false, audit: false } },
      telemetry: { enabled: false, updateNotification: false },
    });
    await runtime.start();
    runtime.nodes.registerType("soak", "soak-sink", function soakSink(this: Node, config) {
      runtime.nodes.createNode(this, config);
      this.on("input", sink);
    });
    return new EmbeddedNodeRed(runtime, server, userDir);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** A node that runs, else null. */
  node(id: string): Node | null {
    return this.runtime.nodes.getNode(id);
  }

  /** Resolves when the flows run again. */
  async deploy(flow: readonly FlowNode[], type: DeployType): Promise<void> {
    const started = new Promise((resolve) => this.runtime.events.once("flows:started", resolve));
    await this.runtime.nodes.setFlows(structuredClone(flow), undefined, type);
    await started;
  }

  async stop(): Promise<void> {
    await this.runtime.stop();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    rmSync(this.userDir, { recursive: true, force: true });
  }
}
