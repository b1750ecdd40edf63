import type { InsertWords } from "./en.ts";

/** The words of what can be inserted in Arabic. What an Arabic writer may know by its English name is found by that too. */
export const ar: InsertWords = {
  listLabel: "إدراج",
  detailsSummary: "التفاصيل",
  items: {
    paragraph: { label: "نص", words: "فقرة عادي text paragraph" },
    heading1: { label: "عنوان 1", words: "رئيسي كبير قسم heading title h1 #" },
    heading2: { label: "عنوان 2", words: "فرعي متوسط قسم heading h2 ##" },
    heading3: { label: "عنوان 3", words: "فرعي صغير قسم heading h3 ###" },
    bullets: { label: "قائمة نقطية", words: "نقاط تعداد عناصر bullet list ul" },
    numbers: { label: "قائمة مرقّمة", words: "أرقام خطوات ترقيم numbered list ol" },
    tasks: { label: "قائمة مهام", words: "مهمة تحقق إنجاز task todo checklist" },
    quote: { label: "اقتباس", words: "استشهاد قول quote" },
    table: { label: "جدول", words: "صفوف أعمدة خلايا table" },
    code: { label: "كتلة شفرة", words: "برمجة كود مصدر code" },
    rule: { label: "فاصل", words: "خط أفقي فصل divider hr line" },
    note: { label: "ملاحظة", words: "صندوق تنبيه معلومة callout note" },
    tip: { label: "نصيحة", words: "صندوق فائدة إرشاد callout tip" },
    important: { label: "مهم", words: "صندوق هام callout important" },
    warning: { label: "تحذير", words: "صندوق إنذار callout warning" },
    caution: { label: "تنبيه", words: "صندوق خطر حذر callout caution" },
    details: { label: "تفاصيل", words: "طي إخفاء توسيع details toggle" },
    formula: { label: "صيغة رياضية", words: "معادلة رياضيات formula math latex" },
    footnote: { label: "حاشية", words: "هامش مرجع footnote" },
    date: { label: "تاريخ اليوم", words: "يوم الآن تقويم date today" },
  },
};
