import { z } from 'zod'
import { withPlainVariables } from '../../messages/templates/rules.ts'
import { longestSubject, longestText, mostBlocks, withScheme } from './rules.ts'

/** Words with variables. A draft keeps them as they were typed: what may not leave is said by `contentProblems` and refused where it would leave. */
const words = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `At most ${most.toLocaleString('en-US')} characters.`)
    .overwrite(withPlainVariables)

/** Becomes a header of the mail, which is one line. */
const line = (most: number) => words(most).refine((text) => !/[\r\n]/.test(text), 'A subject is one line.')

const Url = z.string().trim().max(500, 'At most 500 characters.').overwrite(withScheme)

export const Block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), text: words(120) }),
  z.object({ kind: z.literal('text'), text: words(2000) }),
  z.object({ kind: z.literal('button'), label: words(40), to: z.enum(['page', 'portal', 'url']), url: Url }),
  z.object({ kind: z.literal('offer'), title: words(80), note: words(200) }),
  z.object({ kind: z.literal('picture'), fileId: z.uuid(), alt: words(150) }),
  z.object({ kind: z.literal('divider') }),
])

const Words = z.object({
  subject: line(longestSubject),
  /** The second one, where two are tried out. */
  subjectB: line(longestSubject),
  /** What a list of mails shows beside the subject. */
  preheader: line(150),
  blocks: z.array(Block).max(mostBlocks, `At most ${mostBlocks} parts.`),
  /** Of a text. */
  text: words(longestText),
})

export const Content = z.object({ en: Words, es: Words })
