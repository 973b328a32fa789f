import type { NodeAPI } from "node-red";
import { boolean, object } from "zod";
import { type KnownTemplate, MOST_TEMPLATES, TEMPLATES_ROUTE } from "../../shared/known-template";
import { Account } from "../account/account";
import type { AcquireSimulator } from "../account/simulator-link";
import { serveEditor } from "./editor-request";

const asked = object({ simulated: boolean() });

export function serveTemplates(RED: NodeAPI, acquireSimulator: AcquireSimulator): void {
  serveEditor(
    RED,
    `/messaging-account/:id/${TEMPLATES_ROUTE}`,
    "flows.read",
    asked,
    async (id, { simulated }) => ({
      templates: simulated
        ? await simulatedTemplates(acquireSimulator, id)
        : (Account.find(RED.nodes.getNode(id))?.templates.list ?? []),
    }),
  );
}

async function simulatedTemplates(acquire: AcquireSimulator, id: string): Promise<readonly KnownTemplate[]> {
  const service = await acquire(id);
  try {
    return service.account.templates
      .slice(-MOST_TEMPLATES)
      .map(({ templateName: name, templateLocale: locale, text }) => ({ name, locale, text }))
      .reverse();
  } finally {
    service.release();
  }
}
