import { isolated } from "../isolated.ts";
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
    image: { label: "صورة", words: "لقطة رفع image picture photo" },
    file: { label: "ملف", words: "مرفق رفع وثيقة file attachment" },
    date: { label: "تاريخ اليوم", words: "يوم الآن تقويم date today" },
  },
  uploads: {
    noStore: "لا يمكن رفع الملفات هنا: ليس لهذه الخدمة مخزن لها.",
    tooLarge: (name, most) => `لم يُرسل ${isolated(name)}: أقصى حجم للملف ${most}.`,
    empty: (name) => `لم يُرسل ${isolated(name)}: الملف فارغ.`,
    wrongType: (name) => `لم يُرسل ${isolated(name)}: اسمه اسم صورة ومحتواه ليس صورة.`,
    uploading: (name) => `يُرفع ${isolated(name)}…`,
    failed: (name, reason) => `لم يُرفع ${isolated(name)}. ${reason}`,
    uploaded: (name) => `${isolated(name)} الآن في النص.`,
    described: (name) => `${isolated(name)} الآن في النص. صِف الصورة لمن لا يراها.`,
    describe: "صِف الصورة",
  },
};
