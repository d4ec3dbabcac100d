/** Templates of messages: what may stand in braces, what is wrong with a text, and what becomes of it for one customer. */

export const templateVariables = [
  'customer first name',
  'customer name',
  'business name',
  'business phone',
  'my name',
  'next visit day',
  'next visit time',
  'last visit day',
  'balance',
  'pay link',
] as const
export type TemplateVariable = (typeof templateVariables)[number]

/** What a variable says of the customer; null where there is nothing to say. */
export type TemplateValues = Readonly<Partial<Record<TemplateVariable, string | null>>>

export const longestTemplate = 1000
/** What a mail is called. */
export const longestSubject = 200
/** So many are offered. */
export const mostTemplates = 100

const braces = /\{([^{}]*)\}/g

const variableOf = (typed: string): TemplateVariable | null => {
  const name = typed.trim().replace(/\s+/g, ' ').toLowerCase()
  return templateVariables.find((one) => one === name) ?? null
}

/**
 * What is wrong with the text of a template, as a sentence; null when nothing is.
 * @param offered the variables that may stand in it
 */
export const templateProblem = (
  text: string,
  offered: readonly TemplateVariable[] = templateVariables,
): string | null => {
  const isOffered = (name: string): boolean => {
    const variable = variableOf(name)
    return variable !== null && offered.includes(variable)
  }
  const unknown = [...text.matchAll(braces)].find(([, name = '']) => !isOffered(name))
  if (unknown)
    return `There is no ${unknown[0]}. There are ${offered.map((name) => `{${name}}`).join(', ')}. Nothing was saved.`
  return /[{}]/.test(text.replace(braces, ''))
    ? 'A brace is open or closed without the other. Nothing was saved.'
    : null
}

/** A text with its variables as they are called: "{ Balance }" is `{balance}`. */
export const withPlainVariables = (text: string): string =>
  text.replace(braces, (all, name: string) => {
    const known = variableOf(name)
    return known ? `{${known}}` : all
  })

/** Variables that stand in a text and would be sent as they are. */
export const holesIn = (text: string): TemplateVariable[] => [
  ...new Set([...text.matchAll(braces)].flatMap(([, name = '']) => variableOf(name) ?? [])),
]

/** Why a text with a variable in it is not sent, or null. */
export const holeProblem = (text: string): string | null => {
  const [hole] = holesIn(text)
  return hole ? `{${hole}} still stands in it. Write what belongs there, or take it out. Nothing was sent.` : null
}

export type Hole = { variable: TemplateVariable; at: number; length: number }

/** A template for one customer. What has no value stays in its braces, so that it is seen, and is named with where it stands. */
export const fillTemplate = (text: string, values: TemplateValues): { text: string; holes: Hole[] } => {
  const holes: Hole[] = []
  let filled = ''
  let rest = 0
  for (const match of text.matchAll(braces)) {
    const variable = variableOf(match[1] ?? '')
    filled += text.slice(rest, match.index)
    rest = match.index + match[0].length
    const value = variable ? values[variable] : undefined
    if (variable && !value) holes.push({ variable, at: filled.length, length: match[0].length })
    filled += value || match[0]
  }
  return { text: filled + text.slice(rest), holes }
}

const legalForm = /[\s,]+(?:l\.?l\.?c|l\.?l\.?p|inc|incorporated|corp|corporation|co|company|ltd|limited)\.?$/i

/** A business's name made shorter step by step, as people call it: without its legal form, then without its last words, down to the first. */
export const shorterNames = (name: string): string[] => {
  const bare = name.trim().replace(legalForm, '')
  const words = bare.split(/\s+/)
  const cut = words.map((_, at) =>
    words
      .slice(0, words.length - at)
      .join(' ')
      // a name does not end in the word that joined it to what is gone
      .replace(/(?:\s+(?:&|and|y|of|the)|[\s,\-–/]+)+$/i, ''),
  )
  return [...new Set(cut)].filter((one) => one !== '' && one !== name.trim())
}

/**
 * A template for one customer that fits: where its text is too long, the business's name in it is shortened, as far as it has to be.
 * @param fits whether a filled text can be sent
 * @returns `shortName` where it was; a text that fits with no name is filled with the whole one
 */
export const fillToFit = (
  text: string,
  values: TemplateValues,
  fits: (filled: string) => boolean,
): { text: string; holes: Hole[]; shortName: string | null } => {
  const filled = fillTemplate(text, values)
  const name = values['business name']
  if (!fits(filled.text) && name)
    for (const shortName of shorterNames(name)) {
      const shorter = fillTemplate(text, { ...values, 'business name': shortName })
      if (shorter.text !== filled.text && fits(shorter.text)) return { ...shorter, shortName }
    }
  return { ...filled, shortName: null }
}

/** Which of its texts a customer gets, and whether it is English only because there is no Spanish one. */
export const textFor = (
  template: { textEn: string; textEs: string },
  language: 'en' | 'es',
): { text: string; fellBack: boolean } =>
  language === 'es' && template.textEs.trim() !== ''
    ? { text: template.textEs, fellBack: false }
    : { text: template.textEn, fellBack: language === 'es' }

/** What a mail with a template is called for a customer; empty where the template says nothing of it. */
export const subjectFor = (template: { subjectEn: string; subjectEs: string }, language: 'en' | 'es'): string =>
  (language === 'es' && template.subjectEs.trim()) || template.subjectEn

/** A text with another put where the caret stands; words never run into each other. */
export const insertAt = (
  text: string,
  { from, to }: { from: number; to: number },
  insert: string,
): { text: string; at: number } => {
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const gap = before !== '' && !/\s$/.test(before) ? ' ' : ''
  const tail = after !== '' && !/^[\s.,;:!?]/.test(after) ? ' ' : ''
  return { text: `${before}${gap}${insert}${tail}${after}`, at: before.length + gap.length }
}
