import de from "./texts/de.json";
import en from "./texts/en-US.json";
import { sayFrom } from "../../lib/texts/say";

export const say = sayFrom({ digest: en }, { digest: de });
