import type { TenantDb } from '../../../platform/db/tenant.ts'
import { absoluteUrl, type Reader, readerPath, signedFilePath } from '../../../platform/links.ts'
import { linksOf, type WrittenLetter } from '../../../platform/mail/letter.ts'
import { type NewsPart, writeNewsletter } from '../../../platform/mail/newsletter.ts'
import { greetingOf } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { addressLine } from '../../../shared/places.ts'
import { asSms } from '../../businesses/notices/rules.ts'
import { contactOf } from '../../businesses/rules.ts'
import { senderOf } from '../../mailings/server/queries.ts'
import { stopWords } from '../../messages/rules.ts'
import type { TemplateValues } from '../../messages/templates/rules.ts'
import {
  type Block,
  type Content,
  filled,
  isAddress,
  isChosen,
  type Surroundings,
  type Words,
  wordsFor,
} from '../content/rules.ts'
import type { Variant } from '../rules.ts'

/** Pictures of a mail are looked at for as long as somebody keeps it open in their box. */
const pictureSeconds = 400 * 86_400

/** The business as it writes to many. */
export const campaignSenderOf = async (db: TenantDb) => ({
  ...(await senderOf(db)),
  businessId: db.businessId,
  ...(await db
    .selectFrom('businesses')
    .select(['slug', 'publicPage', 'logoFileId', 'planTier', 'subscriptionStatus', 'pastDueSince'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()),
})
export type CampaignSender = Awaited<ReturnType<typeof campaignSenderOf>>

export const surroundingsOf = ({ name, street, zip, phone, publicPage, portalUrl }: CampaignSender): Surroundings => ({
  name,
  hasAddress: Boolean(street?.trim() && zip?.trim()),
  hasPhone: Boolean(phone),
  hasPage: publicPage,
  hasPortal: portalUrl !== null,
})

export type Recipient = { name: string; company: string | null; language: 'en' | 'es' }

const valuesOf = (person: Recipient, sender: CampaignSender): TemplateValues => ({
  'customer first name': greetingOf(person),
  'customer name': person.name,
  'business name': sender.name,
  'business phone': sender.phone ? formatPhone(sender.phone) : null,
})

/**
 * Where a link leads: the page or the portal, wherever they are on the day it is followed, or an address. A draft may hold what is none, which leads
 * nowhere in its preview.
 */
const urlOf = (goal: string, sender: CampaignSender): string =>
  goal === 'page'
    ? absoluteUrl(paths.publicProfile(sender.slug))
    : goal === 'portal'
      ? (sender.portalUrl ?? absoluteUrl(paths.publicProfile(sender.slug)))
      : isAddress(goal)
        ? goal
        : ''

const goalOf = (block: Extract<Block, { kind: 'button' }>): string => (block.to === 'url' ? block.url : block.to)

const languages = ['en', 'es'] as const
/**
 * Links of a mail are numbered from here on, by language, and by what stands in the words: these stand still once it has begun, so a number means
 * the same for ever, also where the business gives its page another address.
 */
const firstOf = { en: 0, es: 500 } as const

/** What the links of a mail lead to, in their order; a link with a variable in it is another one for each customer, and is not counted. */
const goalsIn = (words: Words): string[] => [
  ...new Set(
    words.blocks.flatMap((block) =>
      block.kind === 'button'
        ? [goalOf(block)]
        : block.kind === 'text'
          ? linksOf(block.text).filter((url) => !/[{}]/.test(url))
          : [],
    ),
  ),
]

const languageAt = (at: number): 'en' | 'es' => languages.findLast((one) => at >= firstOf[one]) ?? 'en'

/** Where a numbered link of a campaign leads; null for one that it does not have. */
export const linkAt = (content: Content, sender: CampaignSender, at: number): string | null => {
  const language = languageAt(at)
  const goal = goalsIn(content[language])[at - firstOf[language]]
  return goal === undefined ? null : urlOf(goal, sender)
}

/** How many links the mail has that a numbered one stands in: who follows all of them in a second is no person. */
export const countLinks = (content: Content, sender: CampaignSender, at: number): number =>
  new Set(goalsIn(content[languageAt(at)]).map((goal) => urlOf(goal, sender))).size

const partsFor = (words: Words, values: TemplateValues, sender: CampaignSender): NewsPart[] =>
  words.blocks.filter(isChosen).map((block): NewsPart => {
    switch (block.kind) {
      case 'heading':
      case 'text':
        return { kind: block.kind, text: filled(block.text, values) }
      case 'button':
        return { kind: 'button', label: filled(block.label, values), url: urlOf(goalOf(block), sender) }
      case 'offer':
        return { kind: 'offer', title: filled(block.title, values), note: filled(block.note, values) }
      case 'picture':
        return {
          kind: 'picture',
          url: absoluteUrl(signedFilePath(sender.businessId, block.fileId, pictureSeconds)),
          alt: filled(block.alt, values),
        }
      default:
        return { kind: 'divider' }
    }
  })

const footWords = {
  en: { why: 'You get this because you agreed to offers from us.', stop: 'Get no more offers' },
  es: { why: 'Recibe esto porque aceptó recibir nuestras ofertas.', stop: 'No recibir más ofertas' },
} as const

export const subjectFor = (words: Words, variant: Variant | null, values: TemplateValues): string =>
  filled(variant === 'b' && words.subjectB !== '' ? words.subjectB : words.subject, values).slice(0, 200)

type Reading = { stopUrl: string; reader: Reader }

/** Stands in a preview where each customer has a link of their own. */
const sampleStopUrl = (): string => absoluteUrl(paths.unsubscribe('their-own-link'))

/**
 * A mail of a campaign for one person.
 * @param reading their own link to get no more, and who they are to its links; null in a test or a preview, where nothing is counted
 * @param preview how it is looked at before it leaves: in the colors of a dark mail program, or as it is read
 */
export const mailFor = (
  sender: CampaignSender,
  content: Content,
  person: Recipient,
  { variant, reading, preview }: { variant: Variant | null; reading: Reading | null; preview?: 'asRead' | 'dark' },
): WrittenLetter & { subject: string } => {
  const { language, words } = wordsFor(content, person.language)
  const values = valuesOf(person, sender)
  const links = goalsIn(words).map((goal) => urlOf(goal, sender))
  const { name, street, city, state, zip } = sender
  const subject = subjectFor(words, variant, values)
  const letter = writeNewsletter(
    {
      language,
      from: name,
      brandColor: sender.brandColor,
      logoUrl: sender.logoFileId
        ? absoluteUrl(signedFilePath(sender.businessId, sender.logoFileId, pictureSeconds))
        : null,
      subject,
      preheader: filled(words.preheader, values),
      parts: partsFor(words, values, sender),
      footer: {
        sender: [
          [name, addressLine({ street: street ?? '', city: city ?? '', state: state ?? '', zip: zip ?? '' })]
            .filter(Boolean)
            .join(', '),
          contactOf(sender),
        ].filter(Boolean),
        ...footWords[language],
        stopUrl: reading?.stopUrl ?? (preview ? sampleStopUrl() : null),
      },
      tracking: reading
        ? {
            hrefOf: (url) => {
              const at = links.indexOf(url)
              return at === -1 ? url : absoluteUrl(readerPath('click', reading.reader, firstOf[language] + at))
            },
            pixelUrl: absoluteUrl(readerPath('open', reading.reader)),
          }
        : null,
    },
    preview ?? 'asRead',
  )
  return { ...letter, subject }
}

/** A text of a campaign for one person; an offer always says how to get no more. */
export const textFor = (sender: CampaignSender, content: Content, person: Recipient): string => {
  const { language, words } = wordsFor(content, person.language)
  return `${asSms(filled(words.text, valuesOf(person, sender)))} ${stopWords[language]}`
}
