import { drawPage, h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { isLight } from '../../../businesses/rules.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import { type Choice, firstChoice, quoteName, tidyChoice } from '../../rules.ts'
import { answersPart, linesPart, packagesPart, payPart, signPart, sumsPart, termsPart } from './parts.ts'
import type { QuotePage } from './queries.ts'
import { quoteStyle } from './style.ts'
import { comeBack, viewerTexts } from './texts.ts'

/** What the page says beside the quote: what was wrong, or how a payment stands. */
export type Said = {
  problem?: string
  wrong?: 'ask' | 'no'
  typedName?: string
  /** Back from the payment page, and how often it looked. */
  look?: number
  waits?: boolean
  /** Somebody of the office looks at it: no script runs in it. */
  preview?: boolean
}

const frame = (
  title: string,
  color: string,
  content: PageContent,
  more: { language?: Language; refresh?: { seconds: number; url: string }; script?: string } = {},
): string => {
  const light = isLight(color)
  return drawPage({
    language: 'en',
    title,
    style: quoteStyle,
    ...more,
    content: h(
      'main',
      {
        style: {
          '--brand': color,
          '--on-brand': light ? '#2b1c00' : '#fff',
          '--strong': light ? '#14432f' : color,
        } as never,
      },
      content,
    ),
  })
}

/** "Tuesday": of any week that begins on a Sunday. */
const weekdayIn = (language: Language, weekday: number): string =>
  new Intl.DateTimeFormat(language === 'es' ? 'es-US' : 'en-US', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2026, 1, 1 + weekday)),
  )

const note = (key: string, text: string, more: PageContent = null, bad = false): PagePart =>
  h('section', { key, className: bad ? 'bad' : 'note', role: 'status' }, h('p', null, text), more)

/** Where the deposit went, and what of the quote it does not cover. */
const usesPart = ({ language, depositUses, signature, depositPaidCents, invoiced }: QuotePage): PageContent => {
  const t = viewerTexts[language]
  const { pays, restCents } = depositUses
  const openCents = (signature?.totalCents ?? 0) - depositPaidCents
  return [
    pays.length > 0
      ? h(
          'p',
          { key: 'uses' },
          [
            ...pays.map(({ number, cents }) => t.depositPays(formatCents(cents), invoiceName(number))),
            ...(restCents > 0 ? [t.depositLeft(formatCents(restCents))] : []),
          ].join(' '),
        )
      : null,
    pays.length === 0 && openCents > 0 && !invoiced
      ? h('p', { key: 'open', className: 'quiet' }, t.restToPay(formatCents(openCents)))
      : null,
  ]
}

const depositPart = (page: QuotePage, token: string, said: Said): PageContent => {
  const t = viewerTexts[page.language]
  const cents = page.signature?.depositCents ?? 0
  if (page.depositPaidCents > 0)
    return note(
      'deposit',
      (page.signature?.choice.prepay ? t.paidAll : t.paid)(formatCents(page.depositPaidCents)),
      usesPart(page),
    )
  if (cents === 0) return null
  if (said.waits) return note('deposit', t.waits)
  if (page.invoiced) return null
  if (!page.takesCards)
    return note('deposit', t.noCards(formatCents(cents), comeBack(page.language, page.business.phone)))
  return h(
    'section',
    { key: 'deposit', className: 'note noprint' },
    h('h2', null, page.signature?.choice.prepay ? t.payAllHead : t.payHead),
    said.look === undefined ? null : h('p', { role: 'status' }, t.late),
    h('p', null, (page.signature?.choice.prepay ? t.payAllText : t.payText)(formatCents(cents))),
    h(
      'form',
      { method: 'post', action: `${paths.quote(token)}/pay` },
      h('button', { type: 'submit' }, t.pay(formatCents(cents))),
    ),
  )
}

const statePart = (page: QuotePage, token: string, said: Said): PageContent => {
  const t = viewerTexts[page.language]
  const { state, content, signature, newerPath } = page
  if (state === 'newer')
    return note('state', t.newer, newerPath ? h('p', null, h('a', { href: newerPath }, t.seeNewer)) : null, true)
  if (state === 'revising') return note('state', t.revising)
  if (state === 'changes')
    return note(
      'state',
      t.asked,
      page.askedWords ? h('p', { className: 'quiet words' }, `${t.youAsked} ${page.askedWords}`) : null,
    )
  if (state === 'declined') return note('state', t.declined(comeBack(page.language, page.business.phone)))
  if (state === 'expired')
    return note(
      'state',
      content.validUntil
        ? t.expired(
            dayIn(page.language, content.validUntil, { year: true }),
            comeBack(page.language, page.business.phone),
          )
        : t.expiredBare(comeBack(page.language, page.business.phone)),
    )
  if (state === 'approved' && signature)
    return [
      note(
        'state',
        (signature.way === 'notice' ? t.renewed : t.approved)(
          signature.signer,
          dayIn(page.language, dayOf(signature.signedAt, page.timeZone), { year: true }),
        ),
        page.renewal ? h('p', { className: 'quiet' }, t.nextSeason) : null,
      ),
      depositPart(page, token, said),
    ]
  if (state === 'open' && page.renewal && content.validUntil) {
    const day = dayIn(page.language, content.validUntil, { year: true })
    return note('state', page.renewal.auto ? t.renewsItself(day) : t.renewsOnYes(day))
  }
  return null
}

const contactPart = ({ business, language }: QuotePage): PagePart | null =>
  business.phone || business.email
    ? h(
        'section',
        { className: 'contact', key: 'contact' },
        h('h2', null, viewerTexts[language].questions),
        business.phone ? h('a', { href: `tel:${business.phone}` }, formatPhone(business.phone)) : null,
        business.email ? h('a', { href: `mailto:${business.email}` }, business.email) : null,
      )
    : null

/** The whole page of a quote. @param wished what is being looked at; null for what was chosen, or is ticked beforehand */
export const quoteHtml = (page: QuotePage, token: string, wished: Choice | null, said: Said = {}): string => {
  const t = viewerTexts[page.language]
  const { business, content, state } = page
  const isOpen = state === 'open'
  const choice = page.signature
    ? page.signature.choice
    : tidyChoice(content, isOpen && wished ? wished : firstChoice(content))
  const body = [
    packagesPart(page, choice, isOpen),
    linesPart(page, choice, isOpen),
    payPart(page, choice, isOpen),
    sumsPart(page, choice, isOpen, token),
    page.photos.length > 0
      ? h(
          'section',
          // on paper there are none, and no heading for them
          { key: 'photos', className: 'noprint' },
          h('h2', null, t.photos),
          h(
            'div',
            { className: 'photos' },
            page.photos.map((url, at) =>
              h('a', { key: url, href: url }, h('img', { src: url, alt: t.photo(at + 1), loading: 'lazy' })),
            ),
          ),
        )
      : null,
    termsPart(page),
  ]
  return frame(
    t.title(quoteName(page.number), business.name),
    business.color,
    [
      page.livemode ? null : h('p', { className: 'test', key: 'test' }, t.test),
      h(
        'header',
        { key: 'head' },
        business.logoUrl ? h('img', { src: business.logoUrl, alt: '' }) : null,
        h('p', null, business.name),
      ),
      said.problem
        ? h('section', { key: 'problem', className: 'bad', role: 'alert' }, h('p', null, said.problem))
        : null,
      h('div', { key: 'state' }, statePart(page, token, said)),
      h(
        'section',
        { key: 'top' },
        h('h1', null, content.title),
        h('p', null, `${t.for} ${page.customer}`),
        h('p', { className: 'quiet' }, page.place),
        h(
          'p',
          { className: 'quiet small' },
          [
            quoteName(page.number),
            page.revision > 1 ? t.version(page.revision) : null,
            content.validUntil && isOpen ? t.until(dayIn(page.language, content.validUntil, { year: true })) : null,
          ]
            .filter(Boolean)
            .join(' · '),
        ),
        content.day?.shown ? h('p', null, t.onDay(weekdayIn(page.language, content.day.weekday))) : null,
        content.message ? h('p', { className: 'words', style: { marginTop: '12px' } }, content.message) : null,
      ),
      isOpen
        ? h(
            'form',
            { key: 'quote', id: 'quote', method: 'post', action: `${paths.quote(token)}/sign`, 'data-token': token },
            ...body,
            signPart(page, choice, said.typedName ?? ''),
          )
        : h('div', { key: 'quote' }, ...body),
      isOpen ? answersPart(page, token, said.wrong ?? null) : null,
      h(
        'section',
        { key: 'papers', className: 'papers noprint' },
        h('a', { href: `${paths.quote(token)}/pdf` }, page.signature ? t.pdf : t.pdfOpen),
      ),
      contactPart(page),
    ],
    {
      language: page.language,
      ...(said.preview ? {} : { script: '/quote.js' }),
      ...(said.waits ? { refresh: { seconds: 3, url: `${paths.quote(token)}?paid=${(said.look ?? 0) + 1}` } } : {}),
    },
  )
}

/** On the way to the payment page: a form may not lead to another site by itself. */
export const goToPayHtml = (url: string, language: Language): string => {
  const t = viewerTexts[language]
  return frame(
    t.opening,
    '#14432f',
    h('section', { role: 'status' }, h('h1', null, t.opening), h('p', null, h('a', { href: url }, t.goOn))),
    { language, refresh: { seconds: 0, url } },
  )
}

/** The same for a link that was forged, taken back, or leads to what was put away; in both languages, for nobody knows whose it is. */
export const noQuoteHtml = (): string =>
  frame(
    viewerTexts.en.goneTitle,
    '#14432f',
    (['en', 'es'] as const).map((language) =>
      h(
        'section',
        { key: language, lang: language },
        h(language === 'en' ? 'h1' : 'h2', null, viewerTexts[language].goneTitle),
        h('p', null, viewerTexts[language].gone),
      ),
    ),
  )
