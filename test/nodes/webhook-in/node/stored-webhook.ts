import { type AccountStore, openStore } from "../../../../lib/runtime/store/open-store";
import { useFolder } from "../../../unit/store/use-folder";
import type { Config } from "../../../node/flow";
import { useWebhook, type WebhookFlow, type WebhookFlowOptions } from "./webhook-flow";

export const ACCOUNT = "n-account";

/** Flows with a webhook of an account that keeps messages, in a folder of its own for each test. @param given of the webhook */
export function useStoredWebhook(given: Config, keepMessages = "computer") {
  const webhook = useWebhook();
  const folder = useFolder();
  let kept: AccountStore | null = null;
  afterEach(async () => {
    await kept?.release();
    kept = null;
  });
  return {
    webhook,
    folder,
    start: (options: WebhookFlowOptions = {}, account: Config = {}): Promise<WebhookFlow> =>
      webhook.start({
        ...options,
        webhook: { account: ACCOUNT, ...given, ...options.webhook },
        more: [
          {
            id: ACCOUNT,
            type: "messaging-account",
            service: "service",
            serviceAddress: "https://127.0.0.1:9",
            keepMessages,
            storeFolder: folder(),
            ...account,
          },
        ],
      }),
    /** The store of the account; the flow and the test use the same file. */
    store: async (at = folder()): Promise<AccountStore> => {
      kept ??= await openStore(ACCOUNT, {
        folder: at,
        keepFor: 86_400_000,
        keepTexts: true,
        snapshotLimit: 1024,
      });
      return kept;
    },
  };
}
