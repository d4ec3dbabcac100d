import {
  fillTemplate,
  holesIn,
  type TemplateValues,
  type TemplateVariable,
  templateProblem,
} from '../../messages/templates/rules.ts'

/** What a campaign says: blocks of a mail, or a text, in English and perhaps in Spanish. */

export const campaignVariables = [
  'customer first name',
  'customer name',
  'business name',
  'business phone',
] as const satisfies readonly TemplateVariable[]

export type ButtonGoal = 'page' | 'portal' | 'url'

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; to: ButtonGoal; url: string }
  | { kind: 'offer'; title: string; note: string }
  | { kind: 'picture'; fileId: string; alt: string }
  | { kind: 'divider' }
export type BlockKind = Block['kind']

/** In one language; a mail has subject and blocks, a text its words. */
export type Words = { subject: string; subjectB: string; preheader: string; blocks: Block[]; text: string }
export type Content = { en: Words; es: Words }

export const noWords: Words = { subject: '', subjectB: '', preheader: '', blocks: [], text: '' }

export const mostBlocks = 20
export const longestSubject = 150
/** Two parts of a plain text, as any text to several. */
export const longestText = 300

/** What is wrong with variables in words, as a sentence; null where nothing is. */
export const wordsProblem = (text: string): string | null => templateProblem(text, campaignVariables)

/** The words for one customer. Nothing stays in braces: what may have no value is refused before a campaign begins. */
export const filled = (text: string, values: TemplateValues): string => fillTemplate(text, values).text

/** Stands for a picture that nobody has chosen yet. */
export const noPicture = '00000000-0000-0000-0000-000000000000'

/** A picture that is not chosen yet is no part of the mail: it stands on the screen only. */
export const isChosen = (block: Block): boolean => block.kind !== 'picture' || block.fileId !== noPicture

const wordsOf = (block: Block): string[] => {
  switch (block.kind) {
    case 'heading':
    case 'text':
      return [block.text]
    case 'button':
      return [block.label]
    case 'offer':
      return [block.title, block.note]
    case 'picture':
      return [block.alt]
    default:
      return []
  }
}

const textsOf = ({ subject, subjectB, preheader, blocks, text }: Words): string[] => [
  subject,
  subjectB,
  preheader,
  text,
  ...blocks.flatMap(wordsOf),
]

/** Whether anything was written in a language. */
export const isWritten = (words: Words): boolean => textsOf(words).some((text) => text.trim() !== '')

/** The words that a customer gets: Spanish for who reads Spanish, where it was written. */
export const wordsFor = (content: Content, language: 'en' | 'es'): { language: 'en' | 'es'; words: Words } =>
  language === 'es' && isWritten(content.es)
    ? { language: 'es', words: content.es }
    : { language: 'en', words: content.en }

/** What the business has of what a campaign may lead to. */
export type Surroundings = {
  name: string
  /** Where the business can be found, as the law asks under an offer by mail. */
  hasAddress: boolean
  hasPhone: boolean
  hasPage: boolean
  hasPortal: boolean
}

export type ContentProblem = { path: string; message: string }

const blockProblem = (block: Block, around: Surroundings): string | null => {
  if (block.kind === 'divider') return null
  if (block.kind === 'picture')
    return block.alt.trim() === '' ? 'Say what the picture shows, for who cannot see it.' : null
  if (block.kind === 'button') {
    if (block.label.trim() === '') return 'A button needs words on it.'
    if (block.to === 'url' && block.url === '') return 'A button needs an address to lead to.'
    if (block.to === 'page' && !around.hasPage)
      return 'Your public page is off. Switch it on under Profile, Brand, or let the button lead elsewhere.'
    if (block.to === 'portal' && !around.hasPortal)
      return 'Your customer portal is off. Switch it on under Profile, or let the button lead elsewhere.'
    return null
  }
  if (block.kind === 'offer') return block.title.trim() === '' ? 'Say what the offer is.' : null
  return block.text.trim() === '' ? 'Write something here, or take this part out.' : null
}

const emailProblems = (at: 'en' | 'es', words: Words, isTested: boolean, around: Surroundings): ContentProblem[] => [
  ...(words.subject.trim() === '' ? [{ path: `content.${at}.subject`, message: 'A subject is needed.' }] : []),
  ...(isTested && words.subjectB.trim() === ''
    ? [{ path: `content.${at}.subjectB`, message: 'Two subjects are tried out: write the second one, too.' }]
    : []),
  ...(words.blocks.some(({ kind }) => kind === 'text' || kind === 'heading' || kind === 'offer')
    ? []
    : [{ path: `content.${at}.blocks`, message: 'Write something first.' }]),
  ...words.blocks.flatMap((block, index) => {
    const message = blockProblem(block, around)
    return message ? [{ path: `content.${at}.blocks.${index}`, message }] : []
  }),
]

const smsProblems = (at: 'en' | 'es', text: string, { name }: Surroundings): ContentProblem[] => {
  const path = `content.${at}.text`
  if (text.trim() === '') return [{ path, message: 'Write something first.' }]
  // a number says nothing to who does not have it saved
  return holesIn(text).includes('business name') || text.toLowerCase().includes(name.toLowerCase())
    ? []
    : [{ path, message: 'A text has to say who writes: put {business name} in it.' }]
}

/** What keeps a campaign from beginning, by field; a draft may be saved with all of it. */
export const contentProblems = (
  channel: 'email' | 'sms',
  content: Content,
  isTested: boolean,
  around: Surroundings,
): ContentProblem[] => {
  const languages = isWritten(content.es) ? (['en', 'es'] as const) : (['en'] as const)
  const found = languages.flatMap((at) =>
    channel === 'email' ? emailProblems(at, content[at], isTested, around) : smsProblems(at, content[at].text, around),
  )
  const asksPhone = languages.some((at) =>
    textsOf(content[at]).some((text) => holesIn(text).includes('business phone')),
  )
  return [
    ...found,
    ...(asksPhone && !around.hasPhone
      ? [
          {
            path: 'content',
            message: '{business phone} stands in it and your business has none. Add it under Profile.',
          },
        ]
      : []),
    ...(channel === 'email' && !around.hasAddress
      ? [
          {
            path: 'address',
            message:
              'An offer by e-mail has to say where your business is. Add its postal address under Profile, Business.',
          },
        ]
      : []),
  ]
}

/** The files of the pictures in it. */
export const picturesIn = (content: Content): string[] => [
  ...new Set(
    [...content.en.blocks, ...content.es.blocks].flatMap((block) => (block.kind === 'picture' ? [block.fileId] : [])),
  ),
]
