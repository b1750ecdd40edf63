import type { TableWords } from "./en.ts";

/** The words of what is done with rows and columns in Arabic. */
export const ar: TableWords = {
  row: "الصف",
  column: "العمود",
  rowMenu: "قائمة الصف",
  columnMenu: "قائمة العمود",
  rowAbove: "أدرج صفًا أعلاه",
  rowBelow: "أدرج صفًا أسفله",
  rowUp: "انقل الصف إلى أعلى",
  rowDown: "انقل الصف إلى أسفل",
  rowDelete: "احذف الصف",
  columnBefore: "أدرج عمودًا قبله",
  columnAfter: "أدرج عمودًا بعده",
  columnLeft: "انقل العمود إلى اليسار",
  columnRight: "انقل العمود إلى اليمين",
  columnDelete: "احذف العمود",
  alignment: "محاذاة العمود",
  alignNone: "بحسب نصه",
  alignLeft: "إلى اليسار",
  alignCenter: "في الوسط",
  alignRight: "إلى اليمين",
  tableDelete: "احذف الجدول",
};
