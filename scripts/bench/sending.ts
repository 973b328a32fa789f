import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificates } from "../../test/support/http/certificates";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { packagesFolder } from "./packages";
import type { SendClientName } from "./send-clients";
import type { GatewayCounts } from "./stub-gateway";
import type { StubAddresses } from "./processes/stub-gateway-process";
import { Worker } from "./worker";

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

  counts(): Promise<GatewayCounts> {
    return this.gateway.ask("counts");
  }

  async end(): Promise<void> {
    await Promise.all([...this.#workers, this.gateway].map((worker) => worker.stop()));
  }
}
