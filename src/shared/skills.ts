/** Skills are written by hand, on crews, people, licenses and services: capitals and blanks do not tell them apart. */
export const asSkill = (text: string): string => text.trim().toLowerCase()
