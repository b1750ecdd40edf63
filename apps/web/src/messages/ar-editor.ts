import type { enEditor } from "./en-editor.ts";
import { plural } from "./plural.ts";

const count = plural("ar");

const changes = (n: number): string =>
  count(n, {
    zero: "لا تغييرات",
    one: "تغيير واحد",
    two: "تغييران",
    few: "# تغييرات",
    many: "# تغييرًا",
    other: "# تغيير",
  });

/** The words of the editor in Arabic. */
export const arEditor: typeof enEditor = {
  editorLabel: "النص",
  editorKeys: "اضغط Escape ثم Tab لمغادرة النص، وAlt+F10 لشريط الأدوات.",
  editorHelp: "يُحفظ من تلقاء نفسه وأنت تكتب. اكتب # لعنوان، و- لقائمة، و> لاقتباس، و``` لشفرة. Ctrl+Enter للإنهاء.",
  editorOpening: "يُفتح…",
  editorFailed: "تعذّر فتح المستند للكتابة. أعد تحميل الصفحة للمحاولة مرة أخرى.",
  editorUnreachable: "لا يمكن الوصول إلى الخدمة. يُفتح النص حين يعود الاتصال.",
  markdownSource: "مصدر Markdown",
  richEditor: "نص منسّق",
  notLeft: "لم يُحفظ كل شيء بعد. يبقى نصك هنا حتى يُحفظ.",
  statusWaiting: (n) => `لم يُحفظ: ${changes(n)} على هذا الجهاز، ويُعاد الإرسال من تلقاء نفسه.`,
  statusOnlyHere: (n) =>
    `لم يُحفظ: ${changes(n)} في هذه الصفحة فقط، لأن هذا المتصفح لا يحتفظ بشيء أو امتلأت مساحته. اترك الصفحة مفتوحة، ويُعاد الإرسال من تلقاء نفسه.`,
  statusReload: "لم يُحفظ: هذه الصفحة أقدم من المستند. انسخ ما كتبته ثم أعد تحميل الصفحة.",
  statusGone: "لم يُحفظ: حُذف هذا المستند، أو لم تعد لديك صلاحية الوصول. ما زال بإمكانك نسخ نصك.",
  statusReadOnly: "يمكنك قراءة هذا المستند، لكن لم يعد بإمكانك تغييره.",
  statusTooMany: "تغييرات كثيرة تنتظر الإرسال. يمكنك المتابعة حين يعود الاتصال.",
  statusTitle: (reason) => `لم يُحفظ العنوان: ${reason}`,
  keptTitle: "نص بلا موضع",
  keptHelp: "حُذف موضع هذا النص وأنت تكتب. انسخ ما لا تزال تحتاج إليه.",
  keptTexts: (text) => `لم يعد لهذا النص موضع في المستند: ${text}`,
  pastedUnread: "أُلصق النص بلا تنسيق لأن جزءًا من التطبيق لم يُحمّل. تراجع ثم ألصقه لاحقًا ليُنسّق.",
  copyText: "انسخ",
  dismissText: "تجاهل",
  linkAddress: "عنوان الرابط",
  linkApply: "ضع الرابط",
  linkRefused: "هذا ليس عنوانًا يمكن أن يشير إليه مستند.",
  toolbar: "التنسيق",
  toolUndo: "تراجع",
  toolRedo: "أعد",
  toolHeading1: "عنوان 1",
  toolHeading2: "عنوان 2",
  toolHeading3: "عنوان 3",
  toolBold: "غامق",
  toolItalic: "مائل",
  toolStrike: "يتوسطه خط",
  toolCode: "شفرة",
  toolBullets: "قائمة نقطية",
  toolNumbers: "قائمة مرقّمة",
  toolTasks: "مهام",
  toolTask: "أُنجزت",
  rawSource: "المصدر",
  toolQuote: "اقتباس",
  toolCodeBlock: "كتلة شفرة",
  toolRule: "فاصل",
  toolTable: "جدول",
  toolLink: "رابط",
  toolAddRow: "أضف صفًا أسفله",
  toolAddColumn: "أضف عمودًا بعده",
  toolDeleteRow: "احذف الصف",
  toolDeleteColumn: "احذف العمود",
  toolDeleteTable: "احذف الجدول",
};
