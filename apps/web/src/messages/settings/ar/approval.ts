import { isolated } from "../../isolated.ts";
import type { SettingsWords } from "../en.ts";

/** كلمات الموافقة على التطبيقات. */
export const approval: SettingsWords["approval"] = {
  title: "الموافقة على التطبيقات الجديدة",
  isFree: "يقرر كل عضو أي التطبيقات يصلها بحسابه.",
  isRequired: "لا يصل الأعضاء إلا التطبيقات التي وافقت عليها. تبقى التطبيقات المتصلة كما هي.",
  require: "اشتراط الموافقة",
  free: "ترك القرار للأعضاء",
  nowRequired: "تحتاج التطبيقات الجديدة إلى موافقة الآن.",
  nowFree: "يقرر الأعضاء بأنفسهم الآن.",
  empty: "لم يطلب أحد تطبيقًا.",
  askedBy: (name) => `طلبه ${isolated(name)}`,
  approved: "موافق عليه",
  approve: "موافقة",
  approveOf: (name) => `موافقة على ${isolated(name)}`,
  nowApproved: (name) => `تمت الموافقة على ${isolated(name)}: يستطيع الأعضاء وصله الآن.`,
  refuse: "رفض",
  refuseOf: (name) => `رفض ${isolated(name)}`,
  withdraw: "سحب الموافقة",
  withdrawOf: (name) => `سحب الموافقة على ${isolated(name)}`,
  refuseText: "يُفصل فورًا عن كل من وصله. يستطيع الأعضاء أن يطلبوه مرة أخرى.",
  nowRefused: (name) => `رُفض ${isolated(name)} وفُصل.`,
};
