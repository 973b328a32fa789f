import * as features from "../../features";
import { useFeatures } from "../../lib/runtime/feature";

useFeatures(Object.values(features));
