import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";
import type { GivenExplanation } from "../en/imports.ts";
import type { SettingsWords } from "../en.ts";
import { importExplanations } from "./import-explanations.ts";

const count = plural("ar");
const files = (number: number): string =>
  count(number, { one: "ملف واحد", two: "ملفين", few: "# ملفات", many: "# ملفا", other: "# ملف" });

const sentences = new Map<string, (values: never) => string>(Object.entries(importExplanations));

/** يعيد جملة الرمز بالعربية. لا يعرف رموز إصدار لاحق. */
function sentenceOf({ code, values }: GivenExplanation): string | undefined {
  const sentence = sentences.get(code);
  return sentence === undefined ? undefined : say(sentence, values);
}

/** تحفظ الخدمة مع كل رمز قيمه هو، ولا تتغير قيم رمز بين الإصدارات. */
const say = (sentence: (values: never) => string, values: GivenExplanation["values"]): string =>
  sentence(values as never);

/** كلمات الاستيراد. */
export const imports: SettingsWords["imports"] = {
  title: "الاستيراد",
  help: "مجلد أو أرشيف ZIP لملفات Markdown أو لتصدير من Obsidian أو Notion أو Outline أو Confluence أو هذه الخدمة، أو ملف Markdown واحد. تصبح الروابط بين الملفات روابط بين المستندات، والصور مرفقات. بعد إرسال الملف يمكنك إغلاق الصفحة.",
  file: "الملف",
  fileHelp: "أرشيف ZIP أو ملف Markdown. يمكنك أيضا إفلاته هنا، أو إفلات مجلد.",
  folder: {
    choose: "اختر مجلدا",
    packing: "يُجمع المجلد",
    empty: "ليس في هذا المجلد ملف يمكن استيراده.",
    tooLarge: "في هذا المجلد ملفات أكثر من اللازم، أو هو أكبر من اللازم. قسّمه إلى مجلدات أصغر.",
    unreadable: "تعذرت قراءة المجلد. اختره مرة أخرى.",
  },
  target: "الاستيراد إلى",
  newCollection: "مجموعة جديدة",
  existingCollection: "مجموعة موجودة",
  newName: "اسم المجموعة الجديدة",
  collection: "المجموعة",
  dryRun: "افحص أولا",
  dryRunHelp: "لا يكتب شيئا: يعرض ما سيُستورد وما لم يُفهم. ثم تستورده بعد ذلك.",
  publish: "انشر المستندات",
  publishHelp: "وإلا بقيت مسودات.",
  update: "حدّث المستندات الموجودة",
  updateHelp: "ذات العنوان نفسه في المكان نفسه. وإلا بقيت كما هي.",
  check: "فحص",
  begin: "استيراد",
  sending: (name) => `إرسال ${isolated(name)}`,
  begun: "وصل الملف. تتابع الخدمة وحدها.",
  latest: "آخر عمليات الاستيراد",
  none: "لم تستورد شيئا في آخر 30 يوما.",
  emptyFile: "ليس في هذا الملف مستندات.",
  intoNew: (name) => `مجموعة جديدة: ${isolated(name)}`,
  statuses: {
    waiting: "لم يُرسل الملف",
    queued: "في الانتظار",
    running: "يُستورد",
    done: "استُورد",
    failed: "فشل",
    stopped: "أُوقف",
  },
  checkStatuses: {
    waiting: "لم يُرسل الملف",
    queued: "في الانتظار",
    running: "يُفحص",
    done: "فُحص",
    failed: "فشل",
    stopped: "أُوقف",
  },
  reading: (done, all) => `قُرئ ${done} من ${files(all)}`,
  writing: (done, all) => `استُورد ${done} من ${files(all)}`,
  progressOf: (name) => `تقدم ${isolated(name)}`,
  stop: "إيقاف",
  stopOf: (name) => `إيقاف استيراد ${isolated(name)}`,
  isSending: "يُرسل",
  stopped: "أُوقف الاستيراد.",
  stopping: "ينتهي الاستيراد. يبقى ما كُتب.",
  importNow: "استورد الآن",
  resume: "متابعة",
  continueOf: (label, name) => `${label}: ${isolated(name)}`,
  continued: "يتابع الاستيراد. لا تُستورد المستندات مرتين.",
  result: "النتيجة",
  resultOf: (name) => `نتيجة ${isolated(name)}`,
  dryResult: "لم يُكتب شيء. ستكون هذه أرقام الاستيراد.",
  figures: {
    imported: "استُورد",
    updated: "حُدّث",
    unchanged: "بلا تغيير",
    existing: "موجود، بقي كما هو",
    folders: "صفحات للمجلدات",
    linked: "فيها روابط إلى مستندات أخرى",
    attached: "ملفات أُرفقت",
  },
  others: "ملفات لا تستخدمها أي صفحة:",
  unusedKeys: "حقول في مقدمة الملفات لم تُستخدم:",
  noProblems: "فُهم كل شيء.",
  kinds: {
    skipped: "تُخطّي",
    note: "استُورد مع ملاحظة",
    unresolved_link: "روابط بلا هدف",
    unresolved_picture: "صور مفقودة",
    embedded_page: "صفحات مضمّنة تظهر روابط",
    raw_construct: "تراكيب تظهر نصا برمجيا",
    left_out: "أجزاء تُركت",
  },
  refusals: {
    unsupported_media_type: "ليس هذا أرشيف ZIP ولا نصا: محتواه شيء آخر.",
    payload_too_large:
      "هذا الملف أكبر مما تقبله الخدمة، أو ليس لملفات الاستيراد مكان الآن. انتظر حتى تنتهي عملية استيراد.",
  },
  explained: (text, explanation) => (explanation === null ? text : (sentenceOf(explanation) ?? text)),
  problems: (kind, number) => `${kind}: ${number}`,
  times: (number) =>
    `(${count(number, { one: "مرة واحدة", two: "مرتان", few: "# مرات", many: "# مرة", other: "# مرة" })})`,
  omitted: (number) =>
    `${count(number, { one: "مشكلة أخرى", two: "مشكلتان أخريان", few: "# مشكلات أخرى", many: "# مشكلة أخرى", other: "# مشكلة أخرى" })} لا تظهر هنا.`,
};
