import { linkInto, temporaryFolder } from "../../test/support/node-red/packed-package";

let linked: Promise<string> | undefined;

/** A folder with what `dist/` holds now, installed for Node-RED; made once. */
export function packagesFolder(): Promise<string> {
  linked ??= (async () => {
    const folder = await temporaryFolder("bench");
    await linkInto(folder);
    return folder;
  })();
  return linked;
}
