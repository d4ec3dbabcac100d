export { asSms } from '../../../shared/plain-text.ts'

/** The texts that customers get by themselves: which there are, their words, and what a business may write in their place. */

export const noticeKinds = ['reminder', 'moved', 'on_way'] as const
export type NoticeKind = (typeof noticeKinds)[number]
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]
export type NoticeTextKey = `${NoticeKind}.${Language}`
export type NoticeTexts = Partial<Record<NoticeTextKey, string>>

export const longestNoticeText = 300

/** What stands in braces in a text, by notice; those marked must be there, or the text says nothing. */
const variables: Readonly<Record<NoticeKind, Readonly<Record<string, 'must' | 'may'>>>> = {
  reminder: { business: 'must', first_name: 'may', when: 'must', services: 'may', link: 'may', phone: 'may' },
  moved: { business: 'must', first_name: 'may', changes: 'must', link: 'may', phone: 'may' },
  on_way: { business: 'must', first_name: 'may', crew: 'may', services: 'may', link: 'may', phone: 'may' },
}

export const variablesOf = (kind: NoticeKind): string[] => Object.keys(variables[kind])

/** Ours. Spanish without accents that would make a text cost twice as much. */
export const usualTexts: Readonly<Record<NoticeTextKey, string>> = {
  'reminder.en': '{business}: we come {when}: {services}. Please leave the gate open. {link}',
  'reminder.es': '{business}: le visitamos {when}: {services}. Por favor deje abierta la reja. {link}',
  'moved.en': '{business}: {changes}. See your visit: {link}',
  'moved.es': '{business}: {changes}. Su visita: {link}',
  'on_way.en': '{business}: {crew} is on the way to you. Follow the visit: {link}',
  'on_way.es': '{business}: {crew} va en camino. Siga la visita: {link}',
}

const braces = /\{([^{}]*)\}/g

/** What is wrong with a text of a business's own, as a sentence; null when nothing is. An empty one is ours again. */
export const noticeTextProblem = (kind: NoticeKind, text: string): string | null => {
  if (text.trim() === '') return null
  if (text.length > longestNoticeText) return `At most ${longestNoticeText} characters.`
  const known = variables[kind]
  const used = [...text.matchAll(braces)].map((match) => match[1] ?? '')
  const unknown = used.find((name) => known[name] === undefined)
  const list = variablesOf(kind)
    .map((name) => `{${name}}`)
    .join(', ')
  if (unknown !== undefined) return `There is no {${unknown}} here. There are ${list}.`
  if (/[{}]/.test(text.replace(braces, ''))) return 'A brace is not closed.'
  const missing = Object.keys(known).find((name) => known[name] === 'must' && !used.includes(name))
  return missing ? `{${missing}} is missing: without it the text does not say what it is about.` : null
}

/** A text with its braces filled. What is empty leaves no hole: neither two spaces nor a lonely colon. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text
    .replace(braces, (_, name: string) => values[name] ?? '')
    .replace(/ {2,}/g, ' ')
    .replace(/: *(?=[.,])/g, '')
    .replace(/ +([.,:])/g, '$1')
    .trim()

/** The text of a business for a notice in a language. */
export const noticeText = (texts: NoticeTexts, kind: NoticeKind, language: Language): string =>
  texts[`${kind}.${language}`]?.trim() || usualTexts[`${kind}.${language}`]

/** When reminders leave: the minute set, moved into the hours in which texts may. */
export const reminderMinuteOf = (minute: number, quiet: { startMinute: number; endMinute: number }): number =>
  quiet.startMinute <= quiet.endMinute ? minute : Math.min(Math.max(minute, quiet.endMinute), quiet.startMinute - 30)
