import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";
import type { SettingsWords } from "../en.ts";

const count = plural("ar");

/** كلمات صفحة مجموعات المستخدمين. */
export const groups: SettingsWords["groups"] = {
  title: "مجموعات المستخدمين",
  help: "للشخص صلاحيات كل مجموعات المستخدمين التي هو فيها. أما من يفتح أي مجموعة مستندات فيُحدد في تلك المجموعة.",
  create: "مجموعة مستخدمين جديدة",
  newTitle: "مجموعة مستخدمين جديدة",
  submit: "إنشاء",
  builtIn: "أساسية",
  members: (n) =>
    count(n, { zero: "لا أعضاء", one: "عضو واحد", two: "عضوان", few: "# أعضاء", many: "# عضوا", other: "# عضو" }),
  showMembers: "عرض الأعضاء",
  showMembersOf: (name) => `عرض الأعضاء: ${isolated(name)}`,
  can: "يجوز لأعضائها:",
  canNothing: "لا تمنح هذه المجموعة أعضاءها شيئا.",
  canAll: "يجوز لأعضائها كل شيء. لا يمكن تغيير هذه المجموعة.",
  edit: "تحرير",
  editOf: (name) => `تحرير ${isolated(name)}`,
  editTitle: (name) => `تحرير ${isolated(name)}`,
  name: "الاسم",
  keepsName: "المجموعة الأساسية تحتفظ باسمها.",
  capabilities: "يجوز لأعضائها",
  lacking: "ليست لديك هذه الصلاحية، فلا تستطيع منحها ولا سحبها.",
  save: "حفظ",
  groupSaved: (name) => `حُفظت ${isolated(name)}.`,
  remove: "حذف",
  removeOf: (name) => `حذف ${isolated(name)}`,
  removeTitle: (name) => `حذف ${isolated(name)}؟`,
  removeText: (n) =>
    `يفقد ${count(n, { zero: "أعضاؤها (لا أحد)", one: "عضو واحد", two: "عضوان", few: "# أعضاء", many: "# عضوا", other: "# عضو" })} صلاحيات هذه المجموعة ووصولها إلى مجموعات المستندات والوسوم المقيدة. لا يُوقف أحد ولا يُحذف مستند.`,
  groupRemoved: (name) => `حُذفت ${isolated(name)}.`,
  sentences: {
    "settings.team_edit": "تغيير اسم الفريق",
    "settings.members": "إضافة الأشخاص وتغييرهم وإيقافهم",
    "settings.groups": "إنشاء مجموعات المستخدمين وتغيير ما يجوز لها",
    "developer.mcp": "السماح للمساعدين وفصل أي منهم",
    "developer.webhooks": "إدارة Webhooks",
    "developer.api_keys": "إنشاء مفاتيح API",
    "publishing.channels": "نشر المستندات لبرامج أخرى",
    "collection.create": "إنشاء مجموعات المستندات",
    "collection.edit": "إعادة تسمية مجموعات المستندات وأرشفتها",
    "document.read": "قراءة المستندات",
    "document.create": "إنشاء المستندات",
    "document.edit": "تحرير المستندات",
    "document.publish": "نشر المستندات وأرشفتها",
    "document.delete": "نقل المستندات إلى سلة المهملات",
    "document.destroy": "حذف المستندات نهائيا",
    "tag.create": "إنشاء الوسوم",
    "tag.manage": "إعادة تسمية الوسوم وحذفها وتقييدها",
    export: "تصدير المجموعات",
    "audit.read": "قراءة سجل التدقيق",
  },
};
