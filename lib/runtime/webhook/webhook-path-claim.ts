import type { NodeAPI } from "node-red";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { type Claim, type Claimant, WebhookRoutes } from "./webhook-routes";
import type { WebhookSettings } from "./webhook-settings";

/** The node behind a claim. */
export interface ClaimingNode extends Omit<Claimant, "granted"> {
  /** Shows why the node receives nothing; null when it receives events again. */
  readonly showTrouble: (trouble: SetupError | null) => void;
}

/** Claims the path of a webhook-in node and checks that requests can reach the node. */
export class WebhookPathClaim {
  readonly #path: string;
  readonly #routes: WebhookRoutes | null;
  #claim: Claim | null = null;
  #trouble: SetupError | null = null;

  /** @param simulated whether the account's service is the built-in simulator, which needs no secret */
  constructor(
    RED: NodeAPI,
    private readonly settings: WebhookSettings,
    private readonly simulated: boolean,
    private readonly node: ClaimingNode,
  ) {
    this.#path = settings.path;
    const routes = WebhookRoutes.of(RED);
    this.#routes = routes;
    if (routes === null) {
      this.#report(new SetupError("NO_HTTP", say("webhook.NO_HTTP")));
      return;
    }
    // Checked before the claim, since a claim of one of the editor's paths would block the editor.
    if (!this.#conflicts(routes)) {
      this.#claimPath(routes);
    }
  }

  /** Why no request reaches the node, or only those of the simulator; null where all is well. */
  get trouble(): SetupError | null {
    return this.#trouble;
  }

  /** Checks again for other routes on the path: nodes of the same deploy may have added some. */
  recheck(): void {
    if (this.#claim !== null && this.#routes !== null && this.#conflicts(this.#routes)) {
      this.#claim.release();
    }
  }

  /** @param returns whether the node starts again soon; until then its callers get 503 */
  release(returns: boolean): void {
    this.#claim?.release(returns);
  }

  #claimPath(routes: WebhookRoutes): void {
    const claim = routes.claim(this.#path, {
      ...this.node,
      granted: () => {
        this.#trouble = null;
        this.node.showTrouble(null);
        this.#checkSecret();
      },
    });
    this.#claim = claim;
    if (claim.owner !== null) {
      const owner = quoteValue(claim.owner);
      this.#report(
        new SetupError("PATH_TAKEN", say("webhook.PATH_TAKEN.webhook", { path: this.#path, owner })),
      );
      return;
    }
    this.#checkSecret();
  }

  /** Whether another route of Node-RED answers on this path. Reports it. */
  #conflicts(routes: WebhookRoutes): boolean {
    const conflict = routes.conflict(this.#path);
    if (conflict === null) {
      return false;
    }
    this.#report(new SetupError("PATH_TAKEN", say(`webhook.PATH_TAKEN.${conflict}`, { path: this.#path })));
    return true;
  }

  #checkSecret(): void {
    if (!this.settings.hasSecret && !this.simulated) {
      this.#report(new SetupError("NO_SECRET", say("webhook.NO_SECRET")));
    }
  }

  #report(trouble: SetupError): void {
    this.#trouble = trouble;
    this.node.showTrouble(trouble);
  }
}
