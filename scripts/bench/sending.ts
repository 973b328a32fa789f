import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificates } from "../../test/support/http/certificates";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { type PostgresqlServer, startPostgresql } from "../../test/support/store/postgresql-server";
import { packagesFolder } from "./packages";
import type { BulkSample } from "./processes/send-process";
import type { SeenRecipients, StubAddresses } from "./processes/stub-gateway-process";
import type { Situation } from "./rows/row";
import type { SendClientName } from "./send-clients";
import type { GatewayCounts } from "./stub-gateway";
import { Worker } from "./worker";

/** Recipients of the largest message. */
export const RECIPIENTS = 1_000_000;
const BULK_CONNECTIONS = 8;

/** How a client gets ready. */
interface Preparation {
  readonly connections: number;
  /** `connections` if not given. */
  readonly inFlight?: number;
  /** For which it sends, until the engine has compiled what matters. */
  readonly seconds: number;
  /** More variables of its process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface BulkMeasured extends BulkSample {
  readonly seen: SeenRecipients;
}

/** A gateway in a process of its own, and processes that send to it. */
export class Sending {
  readonly #workers: Worker[] = [];

  private constructor(
    readonly gateway: Worker,
    readonly addresses: StubAddresses,
    private readonly authority: string,
    private readonly packages: string,
  ) {}

  static async begin(): Promise<Sending> {
    const { authority, good } = makeCertificates();
    const file = join(await temporaryFolder("bench-authority"), "authority.pem");
    writeFileSync(file, authority.cert);
    const gateway = new Worker("stub-gateway-process.ts");
    const addresses = await gateway.ask<StubAddresses>("listen", good);
    return new Sending(gateway, addresses, file, await packagesFolder());
  }

  /**
   * A process that sends in one way; it knows the gateway's certificate.
   * @param env more of its variables
   * @param packages see `EmbeddedNodeRed.start`; the present state if not given
   */
  async client(
    name: SendClientName,
    env: Readonly<Record<string, string>> = {},
    packages = this.packages,
  ): Promise<Worker> {
    const worker = new Worker("send-process.ts", { NODE_EXTRA_CA_CERTS: this.authority, ...env });
    this.#workers.push(worker);
    await worker.ask("start", { name, packages });
    return worker;
  }

  /** A client that has sent for a while. */
  async ready(name: SendClientName, preparation: Preparation): Promise<Worker> {
    const { connections, inFlight = connections, seconds, env } = preparation;
    const worker = await this.client(name, env);
    await worker.ask("prepare", { url: this.addresses.http, connections });
    await worker.ask("sample", { inFlight, seconds });
    return worker;
  }

  /** One message to a million recipients, from a Node-RED that has sent before. */
  async bulk(name: SendClientName, packages?: string): Promise<BulkMeasured> {
    const worker = await this.client(name, {}, packages);
    await worker.ask("prepare", { url: this.addresses.http, connections: BULK_CONNECTIONS });
    await worker.ask("burst", 500);
    await this.gateway.ask("expect", RECIPIENTS);
    const sample = await worker.ask<BulkSample>("bulk", RECIPIENTS);
    const seen = await this.gateway.ask<SeenRecipients>("seen");
    await worker.stop();
    return { ...sample, seen };
  }

  counts(): Promise<GatewayCounts> {
    return this.gateway.ask("counts");
  }

  async end(): Promise<void> {
    await Promise.all([...this.#workers, this.gateway].map((worker) => worker.stop()));
  }
}

/** Measures with a gateway, which ends afterwards. */
export async function* withSending(
  measure: (sending: Sending) => AsyncIterable<Situation>,
): AsyncIterable<Situation> {
  const sending = await Sending.begin();
  try {
    yield* measure(sending);
  } finally {
    await sending.end();
  }
}

/** Measures with a PostgreSQL, which goes away afterwards; nothing where none is installed. */
export async function* withPostgresql(
  measure: (server: PostgresqlServer) => AsyncIterable<Situation>,
  settings?: Parameters<typeof startPostgresql>[0],
): AsyncIterable<Situation> {
  const server = await startPostgresql(settings);
  if (server === null) {
    return;
  }
  try {
    yield* measure(server);
  } finally {
    await server.remove();
  }
}
