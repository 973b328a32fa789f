import { type AccountStore, openStore } from "../../../../lib/runtime/store/open-store";
import { useFolder } from "../../store/use-folder";

const DAY = 24 * 60 * 60 * 1000;

/** The empty store of account `a1` for each test, closed after it. */
export function useAccountStore(): () => AccountStore {
  const folder = useFolder();
  let store: AccountStore;
  beforeEach(async () => {
    store = await openStore("a1", {
      folder: folder(),
      keepFor: DAY,
      keepTexts: false,
      snapshotLimit: 1_000,
    });
  });
  afterEach(() => store.release());
  return () => store;
}
