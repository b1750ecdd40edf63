import type { enCreating } from "./en-creating.ts";
import { isolated } from "./isolated.ts";

/** The words for creating a document and for its place, in Arabic. */
export const arCreating: typeof enCreating = {
  // Places
  createPrompt: "أين؟ ابحث عن مجموعة أو مستند",
  places: "الأماكن",
  recentPlaces: "المستخدمة مؤخرًا",
  noPlace: "لا توجد مجموعة يمكنك الكتابة فيها. اطلب الصلاحية من أحد المديرين.",
  noPlaceFound: "لا يوجد مكان بهذا الاسم.",

  // The page of a new document
  newTitle: "العنوان (اختياري)",
  newPlace: "المكان",
  newUnchosen: "لم يُختر مكان بعد",
  newChoose: "اختر مكانًا",
  newChooseOther: "اختر مكانًا آخر",
  newCreate: "أنشئ المستند",
  newAbsent: "لم يُعثر على المكان الذي في هذا الرابط، أو لا تملك صلاحية الوصول إليه. اختر مكانًا آخر.",
  newClosed: {
    archived: (name) => `${isolated(name)} في الأرشيف، فلا يمكن إنشاء مستندات فيه. اختر مكانًا آخر.`,
    trashed: (name) => `${isolated(name)} في سلة المهملات، فلا يمكن إنشاء مستندات فيه. اختر مكانًا آخر.`,
    readOnly: (name) => `لا يمكنك إنشاء مستندات في ${isolated(name)}. اختر مكانًا آخر.`,
  },
  newNeedsScript: "لإنشاء مستند هنا، فعّل JavaScript في متصفحك ثم أعد تحميل الصفحة.",
};
