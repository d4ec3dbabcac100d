import { h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { pendingWords, usualBankDays } from '../../../invoices/pending/rules.ts'
import { ageNames, invoiceName } from '../../../invoices/rules.ts'
import { paymentName } from '../../../invoices/statements/rules.ts'
import { cameIn, dayIn, depositWaits, listIn } from '../../../invoices/words/rules.ts'
import { receiptComes, toldIn } from '../../../messages/paperways/rules.ts'
import { boxName, byBankName, partNames } from './commands.ts'
import { paperHtml } from './frame.ts'
import type { StatementPage } from './queries.ts'
import { statementTexts } from './texts.ts'

/** A statement as a page of its own: drawn here, so that it is read and paid without a script; a small script only adds up what is checked. */

export type State =
  | { kind: 'plain' }
  /** Back from the payment page. */
  | { kind: 'back' }
  | { kind: 'waits'; look: number }
  | { kind: 'late' }
  | { kind: 'problem'; message: string }

const section = (kind: string, role: string, title: string, text: string): PageContent =>
  h('section', { className: kind, role }, h('h2', null, title), h('p', null, text))

const stateParts = (page: StatementPage, state: State): PageContent => {
  const { told, language } = page
  const t = statementTexts[language]
  if (state.kind === 'problem') return section('bad', 'alert', t.bad, state.message)
  if (state.kind === 'waits') return section('note', 'status', t.waits, t.waitsMore)
  if (state.kind === 'late') return section('note', 'status', t.late, t.lateMore(receiptComes(told, language)))
  if (state.kind === 'back' && page.pendingCents > 0 && !page.justPaid)
    return section('note', 'status', t.asked, t.askedMore(usualBankDays, receiptComes(told, language)))
  if (state.kind === 'back' && page.justPaid) {
    const receipt = told === null ? '' : t.receipt(toldIn(language, told))
    return section('note', 'status', t.arrived, `${page.owedCents > 0 ? t.stillOpen : t.nothing} ${receipt}`.trim())
  }
  return null
}

type Invoice = StatementPage['invoices'][number]

/** What is paid by its box, together with others; what is more than is charged at once is paid in parts or another way. */
const isCheckable = ({ payCents, isTooMuch }: Invoice): boolean => payCents > 0 && !isTooMuch

const partForm = ({ number }: Invoice): string => `part-${number}`

/** A part of one invoice, asked for only by who wants it. Its fields belong to a form of their own, so that Enter pays nothing else. */
const partOfRow = (invoice: Invoice, language: Language): PageContent => {
  const t = statementTexts[language]
  if (!invoice.parts) return null
  const form = partForm(invoice)
  return h(
    'details',
    { key: 'part' },
    h('summary', null, t.partOf(invoiceName(invoice.number))),
    h('label', { htmlFor: `${form}-amount` }, t.partAsked),
    h(
      'small',
      { id: `${form}-range` },
      t.partRange(formatCents(invoice.parts.leastCents), formatCents(invoice.parts.mostCents)),
    ),
    h('input', {
      id: `${form}-amount`,
      form,
      name: partNames.amount,
      type: 'text',
      inputMode: 'decimal',
      autoComplete: 'off',
      required: true,
      maxLength: 20,
      'aria-describedby': `${form}-range`,
    } as never),
    h('button', { type: 'submit', form, className: 'second' }, t.partPay),
  )
}

/** The forms of the parts, beside the one of all that is checked: a form stands in no other. */
const partForms = (invoices: readonly Invoice[], token: string): PageContent =>
  invoices
    .filter(({ parts }) => parts !== null)
    .map((invoice) =>
      h(
        'form',
        {
          key: invoice.id,
          id: partForm(invoice),
          method: 'post',
          action: `${paths.statement(token)}/pay`,
          hidden: true,
        },
        h('input', { type: 'hidden', name: partNames.number, value: String(invoice.number) }),
      ),
    )

const invoiceRow = (invoice: Invoice, mayPay: boolean, language: Language): PagePart => {
  const t = statementTexts[language]
  const day = (on: string) => dayIn(language, on, { year: true })
  const name = invoiceName(invoice.number)
  const came = cameIn(language, invoice)
  const words = h(
    'span',
    null,
    h('b', null, name),
    invoice.lateFeeFor === null ? null : h('small', null, t.feeFor(invoiceName(invoice.lateFeeFor))),
    h('small', invoice.overdue ? { className: 'late' } : null, t.due(day(invoice.dueOn), invoice.overdue)),
    h('small', null, t.issued(day(invoice.issueOn))),
    came === '' ? null : h('small', null, came),
    invoice.pending ? h('small', null, pendingWords(invoice.pending, language)) : null,
    mayPay && invoice.isTooMuch ? h('small', null, invoice.parts ? t.tooMuchParts : t.tooMuch) : null,
  )
  return h(
    'li',
    { key: invoice.id },
    mayPay && isCheckable(invoice)
      ? h(
          'label',
          null,
          h('input', {
            type: 'checkbox',
            name: boxName(invoice.number),
            defaultChecked: true,
            'data-cents': invoice.payCents,
            'data-bank-cents': invoice.bankCents,
          } as never),
          words,
        )
      : words,
    h(
      'span',
      { className: 'side' },
      h('b', null, formatCents(invoice.openCents)),
      h('a', { href: invoice.path, 'aria-label': t.openNamed(name) }, t.open),
    ),
    mayPay ? partOfRow(invoice, language) : null,
  )
}

/** The same from a bank account alone, less the discount for that. */
const bankButton = (
  { language }: StatementPage,
  { payCents, percent }: { payCents: number; percent: string },
  payableCount: number,
): PagePart => {
  const t = statementTexts[language]
  return h(
    'button',
    {
      type: 'submit',
      name: byBankName,
      value: '1',
      className: 'second',
      'data-bank': t.payByBank('{sum}', percent),
      'data-opening': t.opening,
    } as never,
    payableCount > 1 ? t.payCheckedByBank(percent) : t.payByBank(formatCents(payCents), percent),
  )
}

const openPart = (page: StatementPage, token: string, mayPay: boolean): PageContent => {
  const { invoices, business, language, told } = page
  const t = statementTexts[language]
  const payable = invoices.filter(isCheckable)
  const payableCount = payable.length
  const list = h(
    'ul',
    { className: 'rows' },
    invoices.map((invoice) => invoiceRow(invoice, mayPay, language)),
  )
  const more = page.hasMore ? h('p', { className: 'quiet' }, t.more) : null
  if (page.pendingCents > 0 && page.payCents === 0) return h('section', null, h('h2', null, t.openInvoices), list, more)
  if (!mayPay)
    return h(
      'section',
      null,
      h('h2', null, t.openInvoices),
      list,
      more,
      h('p', { className: 'quiet' }, t.toPay(business.name, business.invoiceTerms !== '')),
    )
  if (payableCount === 0)
    return [h('section', { key: 'list' }, h('h2', null, t.openInvoices), list, more), partForms(invoices, token)]
  const all = h(
    'form',
    { key: 'all', method: 'post', action: `${paths.statement(token)}/pay`, id: 'pay' },
    h('fieldset', null, h('legend', null, t.openInvoices), list),
    more,
    payableCount > 1 ? h('p', { className: 'quiet' }, t.uncheck) : null,
    h(
      'button',
      { type: 'submit', 'data-pay': t.pay(''), 'data-none': t.checkSome, 'data-opening': t.opening } as never,
      payableCount > 1 ? t.payChecked : t.pay(formatCents(payable[0]?.payCents ?? 0)),
    ),
    page.takesBank && page.cashDiscount ? bankButton(page, page.cashDiscount, payableCount) : null,
    h(
      'p',
      { className: 'quiet' },
      page.livemode
        ? page.takesBank
          ? t.secureBank(usualBankDays)
          : `${t.secure}${told === null ? '' : ` ${t.receiptAtOnce(toldIn(language, told))}`}`
        : t.trial,
    ),
  )
  return [all, partForms(invoices, token)]
}

const heldPart = ({ held, business, language }: StatementPage): PagePart => {
  const t = statementTexts[language]
  return h(
    'section',
    null,
    h('h2', null, t.withBank),
    h(
      'ul',
      { className: 'rows' },
      held.map(({ id, number, cents }) =>
        h(
          'li',
          { key: id },
          h('span', null, h('b', null, invoiceName(number)), h('small', null, t.held)),
          h('span', { className: 'side' }, h('b', null, formatCents(cents))),
        ),
      ),
    ),
    h('p', { className: 'quiet' }, t.heldPart(business.name)),
  )
}

const agingPart = ({ aging, language }: StatementPage): PagePart => {
  const t = statementTexts[language]
  return h(
    'section',
    null,
    h('h2', null, t.aging),
    h(
      'table',
      null,
      h(
        'tbody',
        null,
        ageNames.map((age) =>
          h('tr', { key: age }, h('th', { scope: 'row' }, t.ages[age]), h('td', null, formatCents(aging[age]))),
        ),
      ),
    ),
  )
}

const paidPart = ({ paid, language }: StatementPage): PagePart => {
  const t = statementTexts[language]
  return h(
    'section',
    null,
    h('h2', null, t.paid),
    paid.length === 0
      ? h('p', { className: 'quiet' }, t.nonePaid)
      : h(
          'ul',
          { className: 'rows' },
          paid.map((one) =>
            h(
              'li',
              { key: one.id },
              h(
                'span',
                null,
                paymentName(one, language),
                h(
                  'small',
                  null,
                  [
                    dayIn(language, one.day, { year: true }),
                    one.on.length ? t.forInvoices(listIn(language, one.on.map(invoiceName))) : t.onNone,
                    ...(one.tipCents > 0 ? [t.tip(formatCents(one.tipCents))] : []),
                  ].join(' · '),
                ),
              ),
              h('span', { className: 'side' }, h('b', null, formatCents(one.cents))),
            ),
          ),
        ),
  )
}

const cardPart = ({ business, takesBank, language }: StatementPage, token: string): PagePart => {
  const t = statementTexts[language]
  return h(
    'form',
    { method: 'post', action: `${paths.statement(token)}/card` },
    h('h2', null, t.byItself),
    h('p', null, t.byItselfMore(takesBank, business.name)),
    h('button', { type: 'submit', className: 'second' }, t.leave(takesBank)),
  )
}

/** How to reach who sent it, and what they say of paying; nothing where they said neither. */
const contactPart = ({ business, language }: StatementPage): PagePart | null =>
  business.phone || business.email || business.invoiceTerms
    ? h(
        'section',
        { className: 'contact', key: 'contact' },
        h('h2', null, statementTexts[language].questions),
        business.phone ? h('a', { href: `tel:${business.phone}` }, formatPhone(business.phone)) : null,
        business.email ? h('a', { href: `mailto:${business.email}` }, business.email) : null,
        business.invoiceTerms ? h('p', { className: 'quiet' }, business.invoiceTerms) : null,
      )
    : null

/** The whole page of a statement. @param portal the customer portal that it leads back to */
export const statementHtml = (page: StatementPage, token: string, state: State, portal?: string): string => {
  const { business, invoices, owedCents, owedCount, creditCents, held, language } = page
  const t = statementTexts[language]
  const overdueCents = owedCents - page.aging.not_due
  const waits = state.kind === 'waits'
  const mayPay = page.takesCards && page.payCents > 0 && !waits
  return paperHtml(
    t.title(business.name),
    business.color,
    [
      page.livemode ? null : h('p', { className: 'test', key: 'test' }, t.test),
      h(
        'header',
        { key: 'head' },
        business.logoUrl ? h('img', { src: business.logoUrl, alt: '' }) : null,
        h('p', null, business.name),
        portal ? h('p', null, h('a', { href: `${paths.portal(portal)}/bills` }, t.backToBills)) : null,
      ),
      h('div', { key: 'state' }, stateParts(page, state)),
      h(
        'section',
        { className: 'top', key: 'top' },
        h('h1', null, t.heading(page.name)),
        h('p', { className: 'quiet' }, t.asOf(dayIn(language, page.today, { long: true, year: true }))),
        h('p', { className: 'owed' }, formatCents(owedCents)),
        h('p', null, owedCents === 0 ? (held.length > 0 ? t.nothingNow : t.nothingOpen) : t.isOpenOn(owedCount)),
        page.pendingCents > 0 ? h('p', null, t.onItsWay(formatCents(page.pendingCents))) : null,
        page.cashDiscount
          ? h(
              'p',
              null,
              t.withoutCard(
                formatCents(page.cashDiscount.payCents),
                formatCents(page.cashDiscount.cents),
                page.cashDiscount.percent,
                page.takesBank,
              ),
            )
          : null,
        overdueCents > 0 ? h('p', { className: 'late' }, t.overdue(formatCents(overdueCents))) : null,
        creditCents > 0 ? h('p', null, t.credit(formatCents(creditCents))) : null,
        page.boundCredit.map((one) => h('p', { key: one.paymentId }, depositWaits(language, one))),
        page.autopay ? h('p', null, t.autopay(page.autopay)) : null,
      ),
      invoices.length > 0 ? h('div', { key: 'open' }, openPart(page, token, mayPay)) : null,
      held.length > 0 ? h('div', { key: 'held' }, heldPart(page)) : null,
      invoices.length > 0 ? h('div', { key: 'aging' }, agingPart(page)) : null,
      page.mayLeaveCard ? h('div', { key: 'card' }, cardPart(page, token)) : null,
      h('div', { key: 'paid' }, paidPart(page)),
      contactPart(page),
    ],
    {
      language,
      script: '/statement.js',
      ...(waits ? { refresh: { seconds: 3, url: `${paths.statement(token)}?paid=${state.look + 1}` } } : {}),
    },
  )
}

/** On the way to the payment page: a form may not lead to another site by itself. */
export const goToPayHtml = (url: string, language: Language): string => {
  const t = statementTexts[language]
  return paperHtml(
    t.openingTitle,
    '#14432f',
    h(
      'section',
      { className: 'top', role: 'status' },
      h('h1', null, t.opening),
      h('p', null, h('a', { href: url }, t.goOn)),
    ),
    { language, refresh: { seconds: 0, url } },
  )
}

/** The same for a link that was taken back and one that never was. */
export const goneHtml = (): string =>
  paperHtml(
    'This link opens no statement',
    '#14432f',
    h(
      'section',
      { className: 'top' },
      h('h1', null, 'This link opens no statement'),
      h(
        'p',
        null,
        'It may be cut off, or the business took it back. Open it again from the newest mail you got, or ask the business that sent it for a new one.',
      ),
      // who reads it is not known, so it is said in both languages
      h('h2', { lang: 'es' }, 'Este enlace no abre ningún estado de cuenta'),
      h(
        'p',
        { lang: 'es' },
        'Puede estar cortado, o la empresa lo retiró. Ábralo de nuevo desde el correo más reciente que recibió, o pida uno nuevo a la empresa que lo envió.',
      ),
    ),
  )
