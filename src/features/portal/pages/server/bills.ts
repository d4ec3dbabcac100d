import { h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { paymentName } from '../../../invoices/statements/rules.ts'
import { dayIn, depositWaits } from '../../../invoices/words/rules.ts'
import { quoteName } from '../../../quotes/rules.ts'
import { type Bills, isWaiting, type ListedInvoice, type ListedQuote } from '../../bills/server/queries.ts'
import type { Treatment } from '../../papers/server/queries.ts'
import { at, chevron, form, heading, instantIn, link, portalPage, submit, textsOf, type View } from './frame.ts'

const quoteRow = (view: View, quote: ListedQuote): PagePart => {
  const t = textsOf(view)
  return h(
    'li',
    { key: quote.id },
    h(
      'a',
      { className: 'go', href: quote.path },
      h(
        'span',
        null,
        isWaiting(quote) ? h('span', { className: 'pill wait' }, t.quoteStates[quote.status]) : null,
        h('b', { style: { display: 'block' } }, quote.title),
        h(
          'small',
          null,
          [
            quoteName(quote.number),
            isWaiting(quote) ? null : t.quoteStates[quote.status],
            isWaiting(quote) && quote.validUntil ? t.until(dayIn(view.language, quote.validUntil)) : null,
            quote.street,
          ]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
      h('span', { className: 'side' }, formatCents(quote.totalCents)),
      chevron(),
    ),
  )
}

const openPart = (view: View, bills: Bills): PagePart => {
  const t = textsOf(view)
  return h(
    'section',
    { key: 'open', 'aria-labelledby': 'open' },
    h('h2', { id: 'open', style: { margin: 0 } }, t.owe),
    bills.owedCents > 0
      ? h('p', { className: 'owed' }, formatCents(bills.owedCents))
      : h('p', { style: { fontWeight: 620, margin: '6px 0' } }, t.nothingOwed),
    bills.creditCents > 0
      ? h('p', { className: 'quiet' }, t.credit(formatCents(bills.creditCents), bills.usesCredit))
      : null,
    bills.boundCredit.map((one) =>
      h('p', { key: one.paymentId, className: 'quiet' }, depositWaits(bills.language, one)),
    ),
    bills.invoices.length > 0
      ? h(
          'ul',
          { className: 'rows', style: { marginTop: '12px' } },
          bills.invoices.map((invoice) =>
            h(
              'li',
              { key: invoice.id },
              h(
                'a',
                { className: 'go', href: invoice.path },
                h(
                  'span',
                  null,
                  h('b', null, invoiceName(invoice.number)),
                  h(
                    'small',
                    invoice.overdue ? { className: 'late' } : null,
                    t.due(dayIn(view.language, invoice.dueOn), invoice.overdue),
                  ),
                  invoice.pendingCents > 0 ? h('small', null, t.bankOnWay) : null,
                ),
                h('span', { className: 'side' }, formatCents(invoice.openCents)),
                chevron(),
              ),
            ),
          ),
        )
      : null,
    bills.payCents > 0
      ? bills.takesCards
        ? [
            h(
              'div',
              { key: 'pay', className: 'acts' },
              form(at(view.door, '/bills/statement'), {}, submit(`${t.payAll} ${formatCents(bills.payCents)}`)),
            ),
            bills.invoices.some(({ parts }) => parts !== null)
              ? h('p', { key: 'parts', className: 'quiet' }, t.payParts)
              : null,
          ]
        : h('p', { className: 'quiet' }, t.noCards)
      : null,
  )
}

const autopayPart = (view: View, bills: Bills): PageContent => {
  const t = textsOf(view)
  const { method } = bills
  if (!bills.takesCards && !method) return null
  const mayChange = view.session?.person?.rights.change === true
  return h(
    'section',
    { key: 'autopay', 'aria-labelledby': 'autopay' },
    h('h2', { id: 'autopay' }, t.autopay),
    h('p', null, method ? (method.autopay ? t.autopayOn(method.label) : t.cardKept(method.label)) : t.autopayOff),
    mayChange
      ? h(
          'div',
          { className: 'acts' },
          bills.takesCards
            ? form(at(view.door, '/bills/card'), {}, submit(method ? t.replace : t.setUp, 'second'))
            : null,
        )
      : null,
    mayChange && method?.autopay
      ? h(
          'details',
          { key: 'off' },
          h('summary', null, t.turnOff),
          h('p', null, t.turnOffSure),
          h('div', { className: 'acts' }, form(at(view.door, '/bills/autopay/off'), {}, submit(t.turnOff, 'second'))),
        )
      : null,
    mayChange && bills.mandate && bills.takesCards
      ? h(
          'details',
          { key: 'on' },
          h('summary', null, t.turnOn),
          h('p', null, t.turnOnText),
          h('blockquote', null, bills.mandate),
          h(
            'div',
            { className: 'acts' },
            form(at(view.door, '/bills/autopay/on'), { mandate: bills.mandate }, submit(t.turnOnAgree)),
          ),
        )
      : null,
    mayChange && method
      ? h(
          'details',
          null,
          h('summary', null, t.remove),
          h('p', null, t.removeSure),
          h('div', { className: 'acts' }, form(at(view.door, '/bills/card/remove'), {}, submit(t.remove, 'danger'))),
        )
      : null,
  )
}

export const billsHtml = (view: View, facts: { bills: Bills | null; quotes: readonly ListedQuote[] }): string => {
  const t = textsOf(view)
  const { bills, quotes } = facts
  return portalPage(view, {
    title: t.billsTitle,
    tab: 'bills',
    content: [
      ...(heading(t.billsTitle, t.billsLead) as PagePart[]),
      bills && !bills.livemode && bills.takesCards ? h('p', { key: 'test', className: 'test' }, t.test) : null,
      h(
        'div',
        { key: 'grid', className: 'grid two-up' },
        h(
          'div',
          { className: 'stack' },
          bills ? openPart(view, bills) : h('section', { key: 'none' }, h('p', null, t.noMoney)),
          quotes.length > 0
            ? h(
                'section',
                { key: 'quotes', 'aria-labelledby': 'quotes' },
                h('h2', { id: 'quotes' }, t.quotes),
                h(
                  'ul',
                  { className: 'rows' },
                  quotes.map((quote) => quoteRow(view, quote)),
                ),
              )
            : null,
          bills && bills.paid.length > 0
            ? h(
                'section',
                { key: 'paid', 'aria-labelledby': 'paid' },
                h('h2', { id: 'paid' }, t.paid),
                h(
                  'ul',
                  { className: 'rows' },
                  bills.paid
                    .slice(0, 8)
                    .map((payment) =>
                      h(
                        'li',
                        { key: payment.id },
                        h(
                          'span',
                          null,
                          h('b', null, dayIn(view.language, payment.day, { year: true })),
                          h(
                            'small',
                            null,
                            [paymentName(payment, view.language), payment.on.map(invoiceName).join(', ')]
                              .filter(Boolean)
                              .join(' · '),
                          ),
                        ),
                        h('span', { className: 'side' }, formatCents(payment.cents)),
                      ),
                    ),
                ),
              )
            : null,
        ),
        h(
          'div',
          { className: 'stack' },
          bills ? autopayPart(view, bills) : null,
          bills
            ? h(
                'section',
                { key: 'statement' },
                h('h2', null, t.statement),
                h('p', { className: 'quiet' }, t.statementText),
                h(
                  'div',
                  { className: 'acts' },
                  form(at(view.door, '/bills/statement'), {}, submit(t.openStatement, 'second')),
                ),
              )
            : null,
          h(
            'section',
            { key: 'papers' },
            h('h2', null, t.papers),
            h('p', { className: 'quiet' }, t.papersText),
            h('div', { className: 'acts' }, link(t.openPapers, at(view.door, '/papers'), 'second')),
          ),
        ),
      ),
    ],
  })
}

export const papersHtml = (
  view: View,
  facts: {
    invoices: { items: readonly ListedInvoice[]; nextCursor: string | null } | null
    quotes: readonly ListedQuote[]
    treatments: readonly Treatment[]
  },
): string => {
  const t = textsOf(view)
  const { invoices, quotes, treatments } = facts
  const signed = quotes.filter((one) => one.signed)
  return portalPage(view, {
    title: t.papers,
    tab: 'bills',
    content: [
      h('a', { key: 'back', className: 'back', href: at(view.door, '/bills') }, `‹ ${t.billsTitle}`),
      ...(heading(t.papers, t.papersLead) as PagePart[]),
      invoices
        ? h(
            'section',
            { key: 'invoices', 'aria-labelledby': 'invoices' },
            h('h2', { id: 'invoices' }, t.invoices),
            invoices.items.length === 0
              ? h('p', { className: 'quiet' }, t.noInvoices)
              : h(
                  'ul',
                  { className: 'rows' },
                  invoices.items.map((invoice) => {
                    const name = invoiceName(invoice.number)
                    return h(
                      'li',
                      { key: invoice.id },
                      h(
                        'span',
                        null,
                        h('a', { href: invoice.path }, name),
                        h(
                          'small',
                          null,
                          [
                            invoice.issueOn ? dayIn(view.language, invoice.issueOn, { year: true }) : null,
                            formatCents(invoice.totalCents),
                            t.invoiceStates[invoice.status],
                          ]
                            .filter(Boolean)
                            .join(' · '),
                        ),
                      ),
                      h(
                        'span',
                        { className: 'side' },
                        h('a', { href: invoice.pdfPath, 'aria-label': t.pdfNamed(name) }, t.pdf),
                      ),
                    )
                  }),
                ),
            invoices.nextCursor
              ? h(
                  'div',
                  { className: 'acts' },
                  link(
                    t.olderInvoices,
                    at(view.door, `/papers?cursor=${encodeURIComponent(invoices.nextCursor)}`),
                    'second',
                  ),
                )
              : null,
          )
        : null,
      signed.length > 0
        ? h(
            'section',
            { key: 'quotes', 'aria-labelledby': 'signed' },
            h('h2', { id: 'signed' }, t.signedQuotes),
            h(
              'ul',
              { className: 'rows' },
              signed.map((quote) =>
                h(
                  'li',
                  { key: quote.id },
                  h(
                    'span',
                    null,
                    h('a', { href: quote.path }, quote.title),
                    h('small', null, `${quoteName(quote.number)} · ${quote.street}`),
                  ),
                  h(
                    'span',
                    { className: 'side' },
                    h('a', { href: `${quote.path}/pdf`, 'aria-label': t.pdfNamed(quoteName(quote.number)) }, t.pdf),
                  ),
                ),
              ),
            ),
          )
        : null,
      h(
        'section',
        { key: 'treatments', 'aria-labelledby': 'treatments' },
        h('h2', { id: 'treatments' }, t.treatments),
        treatments.length > 0
          ? h('p', null, h('a', { href: at(view.door, '/papers/treatments') }, t.treatmentsPdf))
          : null,
        treatments.length === 0
          ? h('p', { className: 'quiet' }, t.noTreatments)
          : h(
              'ul',
              { className: 'rows' },
              treatments.map((one) =>
                h(
                  'li',
                  { key: one.visitId, style: { display: 'block' } },
                  h('b', null, dayIn(view.language, dayOf(one.endedAt, view.door.timeZone), { year: true })),
                  h('small', null, one.street),
                  one.products.map(({ name, labelUrl, epaNumber }) =>
                    h(
                      'p',
                      { key: name },
                      name,
                      epaNumber ? h('small', null, `EPA ${epaNumber}`) : null,
                      labelUrl ? h('a', { href: labelUrl, rel: 'noopener noreferrer' }, t.label) : null,
                    ),
                  ),
                  one.keepOffUntil ? h('small', null, `${t.keepOff} ${instantIn(view, one.keepOffUntil)}`) : null,
                ),
              ),
            ),
      ),
    ],
  })
}
