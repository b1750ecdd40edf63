import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";
import type { SettingsWords } from "../en.ts";

const count = plural("ar");
const collections = (number: number): string =>
  count(number, { one: "مجموعة واحدة", two: "مجموعتين", few: "# مجموعات", many: "# مجموعة", other: "# مجموعة" });

/** كلمات الاستيراد والتصدير. */
export const transfer: SettingsWords["transfer"] = {
  title: "الاستيراد والتصدير",
  exportTitle: "التصدير",
  exportHelp:
    "تصبح كل مجموعة أرشيف ZIP فيه المستندات التي تراها وملفاتها، وروابط تعمل داخله. أبق هذه الصفحة مفتوحة حتى ينتهي.",
  nothingToExport: "لا توجد مجموعة لتصديرها.",
  format: "الصيغة",
  markdown: "Markdown",
  markdownHelp: "يمكن استيرادها مجددا هنا أو في مكان آخر.",
  html: "HTML",
  htmlHelp: "صفحات تُقرأ في المتصفح بلا شبكة.",
  export: "تصدير",
  stop: "إيقاف",
  waiting: "في الانتظار",
  received: (size) => `وصل ${isolated(size)}`,
  progressOf: (name) => `تصدير ${isolated(name)}`,
  saved: "حُفظ في تنزيلاتك. اختره لحفظه مرة أخرى.",
  exportEnded: (done, all) => `صُدّر ${done} من ${collections(all)}.`,
  exportStopped: (done, all) => `أُوقف: صُدّر ${done} من ${collections(all)} وحُفظ.`,
};
