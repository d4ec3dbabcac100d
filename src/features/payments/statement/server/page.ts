import { h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { creditNoteName } from '../../../invoices/corrections/rules.ts'
import { methodNames, receiptName } from '../../../invoices/papers/rules.ts'
import { pendingWords, usualBankDays } from '../../../invoices/pending/rules.ts'
import { type Age, ageNames, invoiceName } from '../../../invoices/rules.ts'
import { receiptComes, toldBy } from '../../../messages/paperways/rules.ts'
import { boxName } from './commands.ts'
import { paperHtml } from './frame.ts'
import type { StatementPage } from './queries.ts'

/** A statement as a page of its own: drawn here, so that it is read and paid without a script; a small script only adds up what is checked. */

export type State =
  | { kind: 'plain' }
  /** Back from the payment page. */
  | { kind: 'back' }
  | { kind: 'waits'; look: number }
  | { kind: 'late' }
  | { kind: 'problem'; message: string }

const ageLabels: Record<Age, string> = {
  not_due: 'Not due yet',
  late_30: '1 to 30 days late',
  late_60: '31 to 60 days late',
  late_90: '61 to 90 days late',
  late_more: 'Over 90 days late',
}

const day = (on: string): string => formatDay(on, { year: true })

const stateParts = (page: StatementPage, state: State): PageContent => {
  if (state.kind === 'problem')
    return h(
      'section',
      { className: 'bad', role: 'alert' },
      h('h2', null, 'That did not work'),
      h('p', null, state.message),
    )
  if (state.kind === 'waits')
    return h(
      'section',
      { className: 'note', role: 'status' },
      h('h2', null, 'Confirming your payment…'),
      h('p', null, 'This takes a few seconds. The page looks again by itself.'),
    )
  if (state.kind === 'late')
    return h(
      'section',
      { className: 'note', role: 'status' },
      h('h2', null, 'We have not heard back about your payment yet'),
      h(
        'p',
        null,
        `If you finished paying, it is safe to close this page: your payment counts, and ${receiptComes(page.told)}. Please do not pay a second time.`,
      ),
    )
  if (state.kind === 'back' && page.pendingCents > 0 && !page.justPaid)
    return h(
      'section',
      { className: 'note', role: 'status' },
      h('h2', null, 'Thank you, your bank was asked'),
      h(
        'p',
        null,
        `Your payment is on its way; that usually takes ${usualBankDays} business days. When it has arrived, ${receiptComes(page.told)}.`,
      ),
    )
  if (state.kind === 'back' && page.justPaid)
    return h(
      'section',
      { className: 'note', role: 'status' },
      h('h2', null, 'Thank you, your payment has arrived'),
      h(
        'p',
        null,
        [
          page.owedCents > 0 ? 'Below is what is still open.' : 'Nothing is open.',
          page.told === null ? '' : `The receipt comes ${toldBy[page.told]}.`,
        ]
          .join(' ')
          .trim(),
      ),
    )
  return null
}

type Invoice = StatementPage['invoices'][number]

const invoiceRow = (invoice: Invoice, mayPay: boolean): PagePart => {
  const name = invoiceName(invoice.number)
  const words = h(
    'span',
    null,
    h('b', null, name),
    invoice.lateFeeFor === null ? null : h('small', null, `Late fee for ${invoiceName(invoice.lateFeeFor)}`),
    h(
      'small',
      invoice.overdue ? { className: 'late' } : null,
      `Issued ${day(invoice.issueOn)}, ${invoice.overdue ? 'was due' : 'due'} ${day(invoice.dueOn)}`,
    ),
    invoice.openCents < invoice.totalCents
      ? h(
          'small',
          null,
          `${formatCents(invoice.totalCents - invoice.openCents)} of ${formatCents(invoice.totalCents)} is paid`,
        )
      : null,
    invoice.pending ? h('small', null, pendingWords(invoice.pending)) : null,
  )
  return h(
    'li',
    { key: invoice.id },
    mayPay && invoice.payCents > 0
      ? h(
          'label',
          null,
          h('input', {
            type: 'checkbox',
            name: boxName(invoice.number),
            defaultChecked: true,
            'data-cents': invoice.payCents,
          } as never),
          words,
        )
      : words,
    h(
      'span',
      { className: 'side' },
      h('b', null, formatCents(invoice.openCents)),
      h('a', { href: invoice.path, 'aria-label': `Open ${name}` }, 'Open'),
    ),
  )
}

const openPart = (page: StatementPage, token: string, mayPay: boolean): PagePart => {
  const { invoices, business } = page
  const payableCount = invoices.filter(({ payCents }) => payCents > 0).length
  const list = h(
    'ul',
    { className: 'rows' },
    invoices.map((invoice) => invoiceRow(invoice, mayPay)),
  )
  const more = page.hasMore ? h('p', { className: 'quiet' }, 'There is more: it comes up when these are paid.') : null
  if (page.pendingCents > 0 && page.payCents === 0)
    return h('section', null, h('h2', null, 'Open invoices'), list, more)
  if (!mayPay)
    return h(
      'section',
      null,
      h('h2', null, 'Open invoices'),
      list,
      more,
      h(
        'p',
        { className: 'quiet' },
        `To pay, ${business.invoiceTerms ? 'follow the terms below or ' : ''}reach ${business.name}.`,
      ),
    )
  return h(
    'form',
    { method: 'post', action: `${paths.statement(token)}/pay`, id: 'pay' },
    h('fieldset', null, h('legend', null, 'Open invoices'), list),
    more,
    payableCount > 1
      ? h('p', { className: 'quiet' }, 'Uncheck what you do not want to pay now. The checked ones are one payment.')
      : null,
    h(
      'button',
      { type: 'submit', 'data-pay': '' } as never,
      payableCount > 1 ? 'Pay the checked invoices' : `Pay ${formatCents(page.payCents)}`,
    ),
    h(
      'p',
      { className: 'quiet' },
      page.livemode
        ? page.takesBank
          ? `Secure payment by card or bank account. A bank takes about ${usualBankDays} business days.`
          : page.told === null
            ? 'Secure card payment.'
            : `Secure card payment. The receipt comes ${toldBy[page.told]} at once.`
        : 'Test checkout: it looks like the real one, and no money moves.',
    ),
  )
}

const heldPart = ({ held, business }: StatementPage): PagePart =>
  h(
    'section',
    null,
    h('h2', null, 'With your bank'),
    h(
      'ul',
      { className: 'rows' },
      held.map(({ id, number, cents }) =>
        h(
          'li',
          { key: id },
          h(
            'span',
            null,
            h('b', null, invoiceName(number)),
            h('small', null, 'Your bank is looking into a payment of it. Nothing is to be paid until it has decided.'),
          ),
          h('span', { className: 'side' }, h('b', null, formatCents(cents))),
        ),
      ),
    ),
    h('p', { className: 'quiet' }, `This is part of what your account with ${business.name} says is owed.`),
  )

const agingPart = ({ aging }: StatementPage): PagePart =>
  h(
    'section',
    null,
    h('h2', null, 'How old it is'),
    h(
      'table',
      null,
      h(
        'tbody',
        null,
        ageNames.map((age) =>
          h('tr', { key: age }, h('th', { scope: 'row' }, ageLabels[age]), h('td', null, formatCents(aging[age]))),
        ),
      ),
    ),
  )

const paidPart = ({ paid }: StatementPage): PagePart =>
  h(
    'section',
    null,
    h('h2', null, 'Payments and credits of the last year'),
    paid.length === 0
      ? h('p', { className: 'quiet' }, 'None yet.')
      : h(
          'ul',
          { className: 'rows' },
          paid.map((one) => {
            const what =
              one.creditNumber === null
                ? `Payment by ${(methodNames[one.method as keyof typeof methodNames] ?? 'Another way').toLowerCase()}${one.receiptNumber === null ? '' : `, ${receiptName(one.receiptNumber)}`}`
                : `Credit ${creditNoteName(one.creditNumber)}`
            return h(
              'li',
              { key: one.id },
              h(
                'span',
                null,
                what,
                h(
                  'small',
                  null,
                  [
                    day(one.day),
                    one.on.length ? `for ${one.on.map(invoiceName).join(', ')}` : 'not on an invoice yet',
                  ].join(' · '),
                ),
              ),
              h('span', { className: 'side' }, h('b', null, formatCents(one.cents))),
            )
          }),
        ),
  )

const cardPart = ({ business, takesBank }: StatementPage, token: string): PagePart =>
  h(
    'form',
    { method: 'post', action: `${paths.statement(token)}/card` },
    h('h2', null, 'Pay by itself'),
    h(
      'p',
      null,
      `Leave ${takesBank ? 'a card or a bank account' : 'a card'}, and ${business.name} charges each invoice on its due day and tells you before. Nothing is charged now.`,
    ),
    h('button', { type: 'submit', className: 'second' }, takesBank ? 'Leave a card or bank account' : 'Leave a card'),
  )

/** The whole page of a statement. */
export const statementHtml = (page: StatementPage, token: string, state: State): string => {
  const { business, invoices, owedCents, owedCount, creditCents, held } = page
  const overdueCents = owedCents - page.aging.not_due
  const waits = state.kind === 'waits'
  const mayPay = page.takesCards && page.payCents > 0 && !waits
  return paperHtml(
    `Statement from ${business.name}`,
    business.color,
    [
      page.livemode ? null : h('p', { className: 'test', key: 'test' }, 'TEST: no card charged'),
      h(
        'header',
        { key: 'head' },
        business.logoUrl ? h('img', { src: business.logoUrl, alt: '' }) : null,
        h('p', null, business.name),
      ),
      h('div', { key: 'state' }, stateParts(page, state)),
      h(
        'section',
        { className: 'top', key: 'top' },
        h('h1', null, `Statement for ${page.name}`),
        h('p', { className: 'quiet' }, `As of ${formatDay(page.today, { long: true, year: true })}`),
        h('p', { className: 'owed' }, formatCents(owedCents)),
        h(
          'p',
          null,
          owedCents === 0
            ? held.length > 0
              ? 'Nothing is to be paid now.'
              : 'Nothing is open. Thank you!'
            : `is open on ${owedCount === 1 ? '1 invoice' : `${owedCount} invoices`}`,
        ),
        page.pendingCents > 0
          ? h('p', null, `${formatCents(page.pendingCents)} of it is on its way from your bank.`)
          : null,
        overdueCents > 0 ? h('p', { className: 'late' }, `${formatCents(overdueCents)} of it is overdue`) : null,
        creditCents > 0
          ? h('p', null, `You have ${formatCents(creditCents)} of credit that is on no invoice yet.`)
          : null,
        page.autopay ? h('p', null, `Autopay is on: your ${page.autopay} pays each invoice on its due day.`) : null,
      ),
      invoices.length > 0 ? h('div', { key: 'open' }, openPart(page, token, mayPay)) : null,
      held.length > 0 ? h('div', { key: 'held' }, heldPart(page)) : null,
      invoices.length > 0 ? h('div', { key: 'aging' }, agingPart(page)) : null,
      page.mayLeaveCard ? h('div', { key: 'card' }, cardPart(page, token)) : null,
      h('div', { key: 'paid' }, paidPart(page)),
      h(
        'section',
        { className: 'contact', key: 'contact' },
        h('h2', null, 'Questions?'),
        business.phone ? h('a', { href: `tel:${business.phone}` }, formatPhone(business.phone)) : null,
        business.email ? h('a', { href: `mailto:${business.email}` }, business.email) : null,
        business.phone || business.email ? null : h('p', null, business.name),
        business.invoiceTerms ? h('p', { className: 'quiet' }, business.invoiceTerms) : null,
      ),
    ],
    {
      script: '/statement.js',
      ...(waits ? { refresh: { seconds: 3, url: `${paths.statement(token)}?paid=${state.look + 1}` } } : {}),
    },
  )
}

/** On the way to the payment page: a form may not lead to another site by itself. */
export const goToPayHtml = (url: string): string =>
  paperHtml(
    'Opening the payment page',
    '#14432f',
    h(
      'section',
      { className: 'top', role: 'status' },
      h('h1', null, 'Opening the payment page…'),
      h('p', null, h('a', { href: url }, 'Go on if nothing happens')),
    ),
    { refresh: { seconds: 0, url } },
  )

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
    ),
  )
