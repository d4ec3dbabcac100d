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

/** What is wrong with variables in words, as a sentence; null where nothing is. They are kept all the same. */
export const wordsProblem = (text: string): string | null =>
  templateProblem(text, campaignVariables)?.replace(' Nothing was saved.', '') ?? null

/** An address as people type it ("www.example.com/fall"), as one that a link can lead to. What is none stays as it is. */
export const withScheme = (typed: string): string =>
  /^[^\s/:@.]+(\.[^\s/:@.]+)+(:\d+)?([/?#]\S*)?$/.test(typed) ? `https://${typed}` : typed

/** Whether a link can lead there. */
export const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(url)

/** The words for one customer. Nothing stays in braces: what may have no value is refused before a campaign begins. */
export const filled = (text: string, values: TemplateValues): string => fillTemplate(text, values).text

/** Stands for a picture that nobody has chosen yet. */
export const noPicture = '00000000-0000-0000-0000-000000000000'

/** A picture that is not chosen yet is kept with its draft and stands in no mail. */
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

type FieldProblem = { field: string; message: string }

const empty = (field: string, text: string, message: string): FieldProblem[] =>
  text.trim() === '' ? [{ field, message }] : []
const unknown = (field: string, text: string): FieldProblem[] => {
  const message = wordsProblem(text)
  return message ? [{ field, message }] : []
}

const goalProblems = ({ to, url }: Extract<Block, { kind: 'button' }>, around: Surroundings): FieldProblem[] => {
  if (to === 'page')
    return around.hasPage
      ? []
      : [
          {
            field: 'to',
            message: 'Your public page is off. Switch it on under Profile, Brand, or let the button lead elsewhere.',
          },
        ]
  if (to === 'portal')
    return around.hasPortal
      ? []
      : [
          {
            field: 'to',
            message: 'Your customer portal is off. Switch it on under Profile, or let the button lead elsewhere.',
          },
        ]
  if (url.trim() === '') return [{ field: 'url', message: 'A button needs an address to lead to.' }]
  return isAddress(url)
    ? []
    : [{ field: 'url', message: 'No link can lead there. Type an address like https://example.com.' }]
}

/** What is wrong with a part, by its field, as they stand in it. */
const blockProblems = (block: Block, around: Surroundings): FieldProblem[] => {
  switch (block.kind) {
    case 'divider':
      return []
    case 'picture':
      return isChosen(block)
        ? [
            ...empty('alt', block.alt, 'Say what the picture shows, for who cannot see it.'),
            ...unknown('alt', block.alt),
          ]
        : [{ field: 'fileId', message: 'Choose a picture, or take this part out.' }]
    case 'button':
      return [
        ...empty('label', block.label, 'A button needs words on it.'),
        ...unknown('label', block.label),
        ...goalProblems(block, around),
      ]
    case 'offer':
      return [
        ...empty('title', block.title, 'Say what the offer is.'),
        ...unknown('title', block.title),
        ...unknown('note', block.note),
      ]
    default:
      return [
        ...empty('text', block.text, 'Write something here, or take this part out.'),
        ...unknown('text', block.text),
      ]
  }
}

const emailProblems = (at: 'en' | 'es', words: Words, isTested: boolean, around: Surroundings): ContentProblem[] =>
  [
    ...empty('subject', words.subject, 'A subject is needed.'),
    ...unknown('subject', words.subject),
    ...(isTested
      ? [
          ...empty('subjectB', words.subjectB, 'Two subjects are tried out: write the second one, too.'),
          ...unknown('subjectB', words.subjectB),
        ]
      : []),
    ...unknown('preheader', words.preheader),
    ...(words.blocks.some(({ kind }) => kind === 'text' || kind === 'heading' || kind === 'offer')
      ? []
      : [{ field: 'blocks', message: 'Write something first.' }]),
    ...words.blocks.flatMap((block, index) =>
      blockProblems(block, around).map(({ field, message }) => ({ field: `blocks.${index}.${field}`, message })),
    ),
  ].map(({ field, message }) => ({ path: `content.${at}.${field}`, message }))

const smsProblems = (at: 'en' | 'es', text: string, { name }: Surroundings): ContentProblem[] => {
  const path = `content.${at}.text`
  if (text.trim() === '') return [{ path, message: 'Write something first.' }]
  const problem = wordsProblem(text)
  if (problem) return [{ path, message: problem }]
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
    [...content.en.blocks, ...content.es.blocks].flatMap((block) =>
      block.kind === 'picture' && isChosen(block) ? [block.fileId] : [],
    ),
  ),
]
