import type { enHistory } from "./en-history.ts";
import { isolated } from "./isolated.ts";
import { plural } from "./plural.ts";

const count = plural("ar");

/** The words for the history of a document, in Arabic. */
export const arHistory: typeof enHistory = {
  historyOf: (title) => `سجل ${isolated(title)}`,
  historyOne: "لا يوجد سوى إصدار واحد حتى الآن.",
  historyStored: "ما يغيّره شخص واحد خلال خمس دقائق إصدار واحد، ولذلك قد تنقص أرقام.",
  backToDocument: "العودة إلى المستند",
  restoreVersion: "استعد هذا الإصدار",
  undoChange: "تراجع عن هذا التغيير",
  changeUndone: (left) =>
    left === 0
      ? "تم التراجع عن التغيير، وبقيت التغييرات اللاحقة."
      : `تم التراجع عن التغيير، ما عدا ${count(left, { one: "موضعًا واحدًا تغيّر", two: "موضعين تغيّرا", few: "# مواضع تغيّرت", other: "# موضعًا تغيّرت" })} مرة أخرى بعده.`,
  nothingToUndo: "لم يتم التراجع عن شيء: كل ما في هذا التغيير تغيّر مرة أخرى أو حُذف بعده.",
  continuedAs: (n) => `لم يتم التراجع عن شيء: استمر هذا الإصدار في المراجعة ${n}. تراجع عنها لتتراجع عن كليهما.`,
  undoes: (n) => `تراجُع عن المراجعة ${n}`,
  currentVersion: "الإصدار الحالي",
  changes: "التغييرات منذ الإصدار السابق",
  changesNone: "النص هو نفسه؛ تغيّر العنوان أو الرمز فقط.",
};
